/** Supersessions that contradict what is stored, and those that repeat it (D18). */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import {
  audit,
  expectFailure,
  expectInvalid,
  expectOk,
  idsOf,
  iso,
  listIds,
  memoryOf,
  remember,
  rememberMany,
  supersede,
  timeline,
} from "../calls.ts";
import { useSpec } from "../spec.ts";
import { FEBRUARY, JANUARY, MARCH, oldAndFresh } from "./old-and-fresh.ts";

const spec = useSpec();

test("4.8 rule 1, D7a, D13: nulls are neither of the two", async () => {
  const { account, old } = await oldAndFresh(spec);
  const nulls = { superseded_by: null, valid_to: null };
  expectFailure(await supersede(account, old, nulls), 400, "missing_supersession");
});

test.each<[string, object, string]>([
  ["7 status 422: a UUID in braces", { superseded_by: `{${randomUUID()}}` }, "superseded_by"],
  ["D7: the path's field", { valid_to: FEBRUARY, memory_id: randomUUID() }, "memory_id"],
])("%s in the body, and nothing is changed", async (_, body, field) => {
  const { account, old } = await oldAndFresh(spec);
  expectInvalid(await supersede(account, old, body), field);
  expect((await audit(account, old)).history).toHaveLength(1);
});

test.each([["D18: from one tenant to another", "acme", "ACME"]])("%s", async (_, from, to) => {
  const account = await spec.service.createAccount();
  const old = await remember(account, "Old", { tenant_id: from });
  const fresh = await remember(account, "Fresh", { tenant_id: to });
  const answer = await supersede(account, old, { superseded_by: fresh });
  expectFailure(answer, 409, "different_tenant", "superseded_by");
  expect((await memoryOf(account, old)).temporal.is_superseded).toBe(false);
});

test("D18: a circle", async () => {
  const account = await spec.service.createAccount();
  const length = 3;
  const ids = await rememberMany(account, length);
  for (let i = 0; i + 1 < length; i++) {
    expectOk(await supersede(account, ids[i] ?? "", { superseded_by: ids[i + 1] }));
  }
  for (const earlier of ids.slice(0, -1)) {
    const answer = await supersede(account, ids.at(-1) ?? "", { superseded_by: earlier });
    expectFailure(answer, 409, "supersession_cycle", "superseded_by");
  }
  expect(await listIds(account)).toEqual([ids.at(-1)]);
});

test.each([
  ["D18: a replacement that was ended without one of its own", JANUARY],
  ["D18: also when that end is still ahead", "2999-01-01T00:00:00Z"],
])("%s", async (_, valid_to) => {
  const { account, old, fresh } = await oldAndFresh(spec);
  const ended = await remember(account, "Ended", { valid_from: JANUARY });
  expectOk(await supersede(account, ended, { valid_to }));
  const answer = await supersede(account, old, { superseded_by: ended });
  expectFailure(answer, 409, "replacement_ended", "superseded_by");
  expectOk(await supersede(account, old, { superseded_by: fresh }));
});

test("D18: a replacement that has one of its own is allowed: the chain grows in its middle", async () => {
  const { account, old, fresh } = await oldAndFresh(spec);
  const other = await remember(account, "Other", { valid_from: FEBRUARY });
  expectOk(await supersede(account, other, { superseded_by: fresh }));
  expectOk(await supersede(account, old, { superseded_by: other }));
  expect(idsOf((await timeline(account, fresh)).timeline)).toEqual([old, other, fresh]);
  expect(await listIds(account)).toEqual([fresh]);
});

test.each<[string, object, object]>([
  ["D18: another end", { valid_to: FEBRUARY }, { valid_to: MARCH }],
  ["D18: another replacement", { superseded_by: "fresh" }, { superseded_by: "other" }],
  ["D18: a replacement where none was given", { valid_to: MARCH }, { superseded_by: "fresh" }],
])("%s, once it is superseded", async (_, first, second) => {
  const { account, old, fresh } = await oldAndFresh(spec);
  const ids: Record<string, string> = { fresh, other: await remember(account) };
  const named = (body: object) =>
    JSON.parse(JSON.stringify(body), (_, value) => ids[value] ?? value);
  expectOk(await supersede(account, old, named(first)));
  const stored = await memoryOf(account, old);
  expectFailure(await supersede(account, old, named(second)), 409, "already_superseded");
  expect(await memoryOf(account, old)).toEqual(stored);
});

test.each<[string, (fresh: string) => object]>([
  ["D18: by both", (fresh) => ({ superseded_by: fresh, valid_to: FEBRUARY })],
  ["D18: by an end in another zone", () => ({ valid_to: "2024-02-01T01:00:00+01:00" })],
])("%s, the same arguments again answer 200 with the stored result", async (_, body) => {
  const { account, old, fresh } = await oldAndFresh(spec);
  const first = await supersede(account, old, body(fresh));
  expectOk(first);
  for (let i = 0; i < 2; i++) {
    const again = await supersede(account, old, body(fresh));
    expect([again.status, again.body]).toEqual([200, first.body]);
  }
  expect((await audit(account, old)).history).toHaveLength(2);
});

test("D18: the same arguments again, also when the replacement was superseded since", async () => {
  const { account, old, fresh } = await oldAndFresh(spec);
  const first = await supersede(account, old, { superseded_by: fresh });
  const newest = await remember(account, "Newest");
  await supersede(account, fresh, { superseded_by: newest });
  const again = await supersede(account, old, { superseded_by: fresh });
  expect([again.status, again.body]).toEqual([200, first.body]);
  const third = await supersede(account, newest, { valid_to: iso(spec.service.clock.now()) });
  expectOk(third);
  expectOk(await supersede(account, old, { superseded_by: fresh }));
});

test("D18, D20: of four that would close a circle at once three take place", async () => {
  for (let round = 0; round < 2; round++) {
    const account = await spec.service.createAccount();
    const ids = await rememberMany(account, 4);
    const answers = await Promise.all(
      ids.map((id, i) => supersede(account, id, { superseded_by: ids[(i + 1) % 4] })),
    );
    const [refused, ...others] = answers.toSorted((a, b) => b.status - a.status);
    for (const answer of others) expectOk(answer);
    if (refused) expectFailure(refused, 409, "supersession_cycle", "superseded_by");
    const { chain_length } = await timeline(account, ids[0] ?? "");
    expect(chain_length).toBe(4);
    expect(await listIds(account)).toHaveLength(1);
  }
});

test("D18: of several replacements at once a memory gets one", async () => {
  const account = await spec.service.createAccount();
  const [old = "", ...others] = await rememberMany(account, 6);
  const answers = await Promise.all(
    others.map((id) => supersede(account, old, { superseded_by: id })),
  );
  const winners = answers.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  for (const answer of answers) {
    if (answer.status !== 200) expectFailure(answer, 409, "already_superseded");
  }
  expect((await memoryOf(account, old)).superseded_by).toBe(winners[0]?.body.superseded_by);
  expect((await audit(account, old)).history).toHaveLength(2);
});
