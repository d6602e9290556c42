/** What a search and a question are about, and the moment that they are asked of (D40). */
import { beforeAll, describe, expect, test } from "vitest";
import type { Instant } from "../../../src/domain/instant.ts";
import { DAY, MINUTE, parseInstant } from "../../../src/domain/instant.ts";
import type { TestAccount } from "../../support/service.ts";
import {
  ask,
  expectInvalid,
  expectOk,
  idsOf,
  iso,
  memory,
  remember,
  supersede,
  unique,
} from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

type Filters = Readonly<Record<string, unknown>>;

/** The memories that a search and a question find: the same ones. */
async function found(account: TestAccount, question: string, filters: Filters): Promise<string[]> {
  const answer = await account.rest("POST", "/agent/search", { body: { question, ...filters } });
  expectOk(answer);
  const asked = await ask(account, question, filters);
  expect(idsOf(asked.memories)).toEqual(idsOf(answer.body.memories));
  return idsOf(answer.body.memories);
}

describe("filters of searches and questions", () => {
  let account: TestAccount;
  const names = new Map<string, string>();
  const times: Record<string, string> = {};

  const WRITES = {
    paris: { session_id: "chat-1", topic: "Home", metadata: { project: "apollo", user: "ada" } },
    rome: { session_id: "chat-1", topic: "Work", metadata: { project: "apollo" }, source: "crm" },
    oslo: { session_id: "chat-2", topic: "Home", metadata: { project: "gemini" } },
    bern: {},
  };

  beforeAll(async () => {
    account = await spec.service.createAccount();
    for (const [name, fields] of Object.entries(WRITES)) {
      const id = await remember(account, `Ada was in ${name}`, fields);
      names.set(id, name);
      times[name] = (await memory(account, id)).created_at;
      spec.service.clock.advance(MINUTE);
    }
    const gone = await remember(account, "Ada was in Lima", WRITES.paris);
    expectOk(await supersede(account, gone, { valid_to: "2020-01-01T00:00:00Z" }));
    await remember(account, "Ada was in Kyiv", { tenant_id: "t", ...WRITES.paris });
  });

  test.each<[filters: Filters, found: string[]]>([
    [{}, ["bern", "oslo", "paris", "rome"]],
    [{ session_id: "chat-1" }, ["paris", "rome"]],
    [{ topic: "Home" }, ["oslo", "paris"]],
    [{ metadata: { project: "apollo", user: "ada" } }, ["paris"]],
    [{ session_id: "chat-1", sources: ["crm"], metadata: { project: "apollo" } }, ["rome"]],
    [{ topic: null, session_id: null, known_at: null }, ["bern", "oslo", "paris", "rome"]],
  ])("D40: %j", async (filters, expected) => {
    const ids = await found(account, "Where was Ada?", filters);
    expect(ids.map((id) => names.get(id)).toSorted()).toEqual(expected);
  });

  test("D40: created after one moment and before another", async () => {
    const between = { created_after: times.paris, created_before: times.oslo };
    const ids = await found(account, "Where was Ada?", between);
    expect(ids.map((id) => names.get(id))).toEqual(["rome"]);
  });

  test.each<[body: object, field: string]>([
    [{ source: "crm" }, "source"],
    [{ include_superseded: true }, "include_superseded"],
  ])("D7, D8, D40: refused: %j", async (filters, field) => {
    for (const path of ["/agent/search", "/agent/query"]) {
      const body = { question: "Where was Ada?", ...filters };
      expectInvalid(await account.rest("POST", path, { body }), field);
    }
  });
});

/** The end of a day. */
function january(day: number): Instant {
  return (parseInstant("2025-01-01T00:00:00Z") ?? 0n) + BigInt(day) * DAY - 1n;
}

describe("questions of a past moment", () => {
  const BERLIN = "2024-03-01T00:00:00.000000Z";
  const MUNICH = "2025-05-04T00:00:00.000000Z";

  /** Who lived in Berlin, then in Munich, and the moments before and after that was learned. */
  async function moved() {
    const account = await spec.service.createAccount();
    const berlin = await remember(account, "Alice lives in Berlin", { valid_from: BERLIN });
    const before = moment();
    const munich = await remember(account, "Alice lives in Munich", { valid_from: MUNICH });
    expectOk(await supersede(account, berlin, { superseded_by: munich }));
    return { account, berlin, munich, before, after: moment() };
  }

  function moment(): Instant {
    spec.service.clock.advance(MINUTE);
    const at = spec.service.clock.now();
    spec.service.clock.advance(MINUTE);
    return at;
  }

  test("D40: as_of answers from what held then, superseded since or not", async () => {
    const { account, berlin, munich } = await moved();
    const question = "Where does Alice live?";
    expect(await found(account, question, {})).toEqual([munich]);
    expect(await found(account, question, { as_of: MUNICH })).toEqual([munich]);
    expect(await found(account, question, { as_of: "2025-01-01T00:00:00Z" })).toEqual([berlin]);
    expect(await found(account, question, { as_of: "2024-01-01T00:00:00Z" })).toEqual([]);
    const answer = await ask(account, question, { as_of: "2025-01-01T00:00:00Z" });
    expect(answer).toMatchObject({ answer: "Alice lives in Berlin.", grounded: true });
    expect(answer.citations).toMatchObject([{ memory_id: berlin, is_superseded: true }]);
    expect(await ask(account, question, { as_of: "2024-01-01T00:00:00Z" })).toMatchObject({
      answer: "No memories found for this company yet.",
      memories_searched: 0,
    });
  });

  test("D40: known_at answers from what had been told by then, as it was known", async () => {
    const { account, berlin, munich, before, after } = await moved();
    const question = "Where does Alice live?";
    expect(await found(account, question, { known_at: iso(before) })).toEqual([berlin]);
    expect(await found(account, question, { known_at: iso(after) })).toEqual([munich]);
    expect(await found(account, question, { known_at: iso(before - DAY) })).toEqual([]);
    const answer = await ask(account, question, { known_at: iso(before) });
    expect(answer.citations).toMatchObject([{ memory_id: berlin, is_superseded: false }]);
    expect(answer.memories).toMatchObject([
      {
        id: berlin,
        valid_to: null,
        superseded_by: null,
        temporal: { valid_to: null, is_current: true, is_superseded: false },
      },
    ]);
  });

  test("D16, D40: both: what was believed then to hold at another time", async () => {
    const { account, berlin, munich, before, after } = await moved();
    const question = "Where does Alice live?";
    const as_of = "2025-12-01T00:00:00Z";
    expect(await found(account, question, { as_of })).toEqual([munich]);
    expect(await found(account, question, { as_of, known_at: iso(before) })).toEqual([berlin]);
    expect(await found(account, question, { as_of, known_at: iso(after) })).toEqual([munich]);
  });

  test.each<[question: string, past: Instant | "ever" | undefined, both: boolean]>([
    ["Where did Alice live in January 2025?", january(31), true],
    ["Where did Alice live in May 1990?", parseInstant("1990-05-31T23:59:59.999999Z") ?? 0n, false],
    ["Where did Alice live before?", "ever", true],
    ["Where does Alice live in January?", undefined, false],
    ["Where did Alice live?", undefined, false],
  ])("D12c: %s is asked of that past, beside the present", async (asked, past, both) => {
    const { account, berlin, munich } = await moved();
    const question = unique(asked);
    const ids = both ? [berlin, munich] : [munich];
    expect((await found(account, question, {})).toSorted()).toEqual(ids.toSorted());
    const [told] = spec.script.questions.filter(({ text }) => text === question);
    expect(told?.past).toBe(past);
    await found(account, question, { as_of: "2025-01-01T00:00:00Z" });
    expect(spec.script.questions.at(-1)).not.toHaveProperty("past");
  });

  test("D40: the model is told of the moment, and of a question of now nothing is", async () => {
    const { account, before } = await moved();
    const question = unique("Where does Alice live?");
    spec.script.answers.set(question, () => "Alice lived in Berlin [mem-1].");
    const as_of = "2025-01-01T00:00:00.000000Z";
    const known_at = iso(before);
    for (const filters of [{}, { as_of }, { known_at }, { as_of, known_at }]) {
      await ask(account, question, filters);
    }
    const told = spec.script.questions.filter(({ text }) => text === question);
    expect(told.map(({ asOf, knownAt }) => [asOf && iso(asOf), knownAt && iso(knownAt)])).toEqual([
      [undefined, undefined],
      [as_of, undefined],
      [undefined, known_at],
      [as_of, known_at],
    ]);
    expect(told.at(-1)?.now).toBe(before);
  });
});
