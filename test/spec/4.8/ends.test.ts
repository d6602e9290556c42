/** What a supersession answers and writes: the end of the old memory (D16, D18). */
import { describe, expect, test } from "vitest";
import { MINUTE } from "../../../src/domain/instant.ts";
import {
  ask,
  audit,
  expectOk,
  idsOf,
  iso,
  listIds,
  memoryOf,
  plan,
  remember,
  supersede,
  timeline,
} from "../calls.ts";
import { useSpec } from "../spec.ts";
import { APRIL, FEBRUARY, JANUARY, MARCH, oldAndFresh } from "./old-and-fresh.ts";

const spec = useSpec();

describe("the response", () => {
  test.each<[string, boolean, string | null, string]>([
    ["4.8 rule 2, 4.8 request superseded_by: by a replacement", true, null, MARCH],
    ["4.8 rule 2, 4.8 request valid_to: by an end", false, "2024-02-01T02:00:00+02:00", FEBRUARY],
    ["4.8 rule 1: by both together, for example a backdated end", true, FEBRUARY, FEBRUARY],
  ])("%s; D2: exactly status, IDs and the end", async (_, isReplaced, valid_to, end) => {
    const { account, old, fresh } = await oldAndFresh(spec);
    const superseded_by = isReplaced ? fresh : null;
    const answer = await supersede(account, old, { superseded_by, valid_to });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: "superseded",
      memory_id: old,
      superseded_by,
      valid_to: end,
    });
  });

  test("4.8 path memory_id, 4.8 request superseded_by: UUIDs in capitals are the same", async () => {
    const { account, old, fresh } = await oldAndFresh(spec);
    const answer = await supersede(account, old.toUpperCase(), {
      superseded_by: fresh.toUpperCase(),
    });
    expect(answer).toMatchObject({ status: 200, body: { memory_id: old, superseded_by: fresh } });
  });
});

test("1 validity, 4.8 rule 3, 4.4 rule 5, 3.1 current -> superseded by call: excluded by default from list and query, in the timeline, in the history", async () => {
  const { account, old, fresh } = await oldAndFresh(spec);
  await supersede(account, old, { superseded_by: fresh });
  expect(await listIds(account)).toEqual([fresh]);
  expect(idsOf((await ask(account, "Where does Ada live?")).memories)).toEqual([fresh]);
  expect(await listIds(account, { include_superseded: "true" })).toEqual([fresh, old]);
  expect(idsOf((await timeline(account, old)).timeline)).toEqual([old, fresh]);
  expect((await audit(account, old)).history.at(-1)).toMatchObject({
    event: "superseded",
    actor: account.apiKeyId,
    detail: expect.objectContaining({ superseded_by: fresh, valid_to: MARCH }),
  });
  expect(await memoryOf(account, old)).toMatchObject({
    valid_to: MARCH,
    superseded_by: fresh,
    temporal: { valid_to: MARCH, superseded_by: fresh, is_superseded: true, is_current: false },
  });
  expect(await memoryOf(account, fresh)).toMatchObject({ temporal: { is_current: true } });
});

describe("the end that a replacement gives (D18)", () => {
  test.each([
    ["D18: the replacement's start", JANUARY, null, MARCH, MARCH],
    ["D18 early ends: a start before its own: it never held", MARCH, null, JANUARY, JANUARY],
    ["D18: never later than an end it already had", JANUARY, FEBRUARY, MARCH, FEBRUARY],
    ["D18: earlier than an end it had", JANUARY, APRIL, MARCH, MARCH],
  ])("%s", async (_, start, end, replacementStart, expected) => {
    const account = await spec.service.createAccount();
    const old = await remember(account, "Old", { valid_from: start, valid_to: end });
    const fresh = await remember(account, "Fresh", { valid_from: replacementStart });
    const answer = await supersede(account, old, { superseded_by: fresh });
    expect(answer).toMatchObject({ status: 200, body: { valid_to: expected } });
    expect((await memoryOf(account, old)).valid_to).toBe(expected);
    expect((await memoryOf(account, fresh)).valid_from).toBe(replacementStart);
  });

  test.each([
    ["D18 early ends: a given end before the start", "2023-12-31T23:59:59.999999Z", false],
    ["D18 early ends: one before the start, and a replacement", "2023-01-01T00:00:00Z", true],
  ])("%s is stored as it is, and no moment finds it", async (_, valid_to, isReplaced) => {
    const { account, fresh, old } = await oldAndFresh(spec);
    const superseded_by = isReplaced ? fresh : null;
    expectOk(await supersede(account, old, { superseded_by, valid_to }));
    const { valid_from: start, valid_to: end } = await memoryOf(account, old);
    expect([start, Date.parse(end ?? "")]).toEqual([JANUARY, Date.parse(valid_to)]);
    for (const as_of of [valid_to, JANUARY, FEBRUARY]) {
      expect(await listIds(account, { as_of })).toEqual([]);
    }
    expect(idsOf((await timeline(account, old)).timeline)).toContain(old);
  });

  test("D18: an end in the future ends currency at once", async () => {
    const { account, old } = await oldAndFresh(spec);
    const end = iso(spec.service.clock.now() + 60n * MINUTE);
    expectOk(await supersede(account, old, { valid_to: end }));
    expect((await memoryOf(account, old)).temporal).toMatchObject({
      valid_to: end,
      is_current: false,
      is_expired: false,
      is_superseded: true,
    });
    expect(await listIds(account)).not.toContain(old);
    expect(await listIds(account, { as_of: FEBRUARY })).toEqual([old]);
  });

  test("D16: the moment of the supersession is kept, whatever end it gives", async () => {
    const { account, old, fresh } = await oldAndFresh(spec);
    await spec.service.clock.hold(async () => {
      await supersede(account, old, { superseded_by: fresh, valid_to: FEBRUARY });
      expect((await audit(account, old)).history[1].at).toBe(iso(spec.service.clock.now()));
    });
  });

  test("D16, D30: a supersession is no write, and a fact's own fields stay", async () => {
    const { account, old, fresh } = await oldAndFresh(spec);
    const before = await memoryOf(account, old);
    await supersede(account, old, { superseded_by: fresh });
    const {
      valid_to: _,
      superseded_by: __,
      temporal: ___,
      ...after
    } = await memoryOf(account, old);
    expect(before).toMatchObject(after);
    expect((await plan(account)).writes_used).toBe(2);
  });
});
