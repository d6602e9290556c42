/** Supersessions at once (D18, D20). */
import { expect, test } from "vitest";
import {
  audit,
  expectFailure,
  expectOk,
  listIds,
  memoryOf,
  rememberMany,
  supersede,
  timeline,
} from "../calls.ts";
import { useSpec } from "../spec.ts";
import { oldAndFresh } from "./old-and-fresh.ts";

const spec = useSpec();

test("D18, D20: of two opposite supersessions at once exactly one takes place", async () => {
  for (let round = 0; round < 5; round++) {
    const account = await spec.service.createAccount();
    const [a = "", b = ""] = await rememberMany(account, 2);
    const answers = await Promise.all([
      supersede(account, a, { superseded_by: b }),
      supersede(account, b, { superseded_by: a }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await listIds(account)).toHaveLength(1);
  }
});

test("D18, D20: of four that would close a circle at once three take place", async () => {
  for (let round = 0; round < 5; round++) {
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

test("D18: the same call many times at once is one supersession", async () => {
  const { account, old, fresh } = await oldAndFresh(spec);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => supersede(account, old, { superseded_by: fresh })),
  );
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 200, body: answers[0]?.body });
  expect((await audit(account, old)).history).toHaveLength(2);
});
