/** Many facts at once (D41). */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { MAX_BATCH_MEMORIES } from "../../../src/domain/limits.ts";
import type { TestAccount } from "../../support/service.ts";
import {
  ask,
  audit,
  expectFailure,
  expectInvalid,
  expectOk,
  list,
  memory,
  NOT_RUN,
  unique,
} from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

const SHORT_LIMIT = 3;

const batch = ({ rest }: TestAccount, memories: unknown, headers: Record<string, string> = {}) =>
  rest("POST", "/agent/memories:batch", { body: { memories }, headers });

const contents = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ content: `Person ${i} lives in town ${i}` }));

test("D41, D2: each with the fields of content mode, in order, and exactly these fields", async () => {
  const account = await spec.service.createAccount();
  const answer = await batch(account, [
    { content: " Ada lives in Paris ", topic: "Home", importance_score: 8, source: "crm" },
    {
      content: "Bo is in Rome",
      tenant_id: "t",
      valid_from: "2026-01-01T00:00:00Z",
      valid_to: "2100-01-01T00:00:00Z",
    },
    { content: "Cy likes tea", importance: "high", session_id: "chat-7" },
  ]);
  expectOk(answer);
  const { memory_ids: ids } = answer.body;
  expect(answer.body).toEqual({
    status: "saved",
    company_id: account.companyId,
    saved_count: 3,
    memory_ids: [expect.any(String), expect.any(String), expect.any(String)],
    auto_supersede: ids.map((memory_id: string) => ({ memory_id, ...NOT_RUN })),
    usage: null,
  });
  expect(await memory(account, ids[0])).toMatchObject({
    decision: " Ada lives in Paris ",
    topic: "Home",
    importance_score: 8,
    source: "crm",
    tenant_id: null,
  });
  expect(await memory(account, ids[1])).toMatchObject({
    tenant_id: "t",
    source: "agent",
    topic: "General",
    valid_from: "2026-01-01T00:00:00.000000Z",
    valid_to: "2100-01-01T00:00:00.000000Z",
  });
  expect(await memory(account, ids[2])).toMatchObject({ importance_score: 8 });
  expect(await audit(account, ids[2])).toMatchObject({
    provenance: { mode: "content", session_id: "chat-7", original_message: "Cy likes tea" },
    extraction: null,
  });
  expect(ids.toSorted()).toEqual(ids);
  expect((await ask(account, "Where does Ada live?")).citations).toMatchObject([
    { memory_id: ids[0] },
  ]);
});

test("D41: 500 at once, with one call of the embedder", async () => {
  const account = await spec.service.createAccount();
  const most = contents(MAX_BATCH_MEMORIES);
  const answer = await batch(account, most);
  expectOk(answer);
  expect(answer.body.saved_count).toBe(500);
  const { memories } = await list(account, { limit: "500" });
  expect(memories.map(({ decision }: { decision: string }) => decision).toReversed()).toEqual(
    most.map(({ content }) => content),
  );
  expectInvalid(await batch(account, contents(501)), "memories");
});

describe("a bad entry refuses the whole batch, and is named by its index", () => {
  const good = { content: "Ada lives in Paris" };
  test.each<[string, unknown, string]>([
    ["a start", { ...good, valid_from: "2100-01-01T00:00:00Z" }, "memories[1].valid_from"],
    [
      "an end before the start",
      { ...good, valid_from: "2026-01-02T00:00:00Z", valid_to: "2026-01-01T00:00:00Z" },
      "memories[1].valid_to",
    ],
    ["messages", { messages: [{ role: "user", content: "hi" }] }, "memories[1].messages"],
  ])("D41: %s", async (_, entry, field) => {
    const account = await spec.service.createAccount();
    expectInvalid(await batch(account, [good, entry, good]), field);
    expect((await list(account)).count).toBe(0);
  });
});

test("D41: of long entries that are alike, four times as many take about four times as long", async () => {
  const cpuOf = async (count: number) => {
    const account = await spec.service.createAccount();
    const memories = contents(count).map(({ content }) => {
      return { content: `${"a ".repeat(200)}${content}`, auto_supersede: true };
    });
    const before = process.threadCpuUsage();
    expectOk(await batch(account, memories));
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  };
  const few = MAX_BATCH_MEMORIES / 4;
  await cpuOf(few);
  // Were each compared with all before it, it would be sixteen times.
  expect((await cpuOf(MAX_BATCH_MEMORIES)) / (await cpuOf(few))).toBeLessThan(9);
});

test("D41: automatic supersession for each, of earlier ones of the batch too", async () => {
  const account = await spec.service.createAccount();
  const person = unique("Ada");
  const [rome, paris] = [`${person} lives in Rome`, `${person} lives in Paris`];
  spec.script.classifications.set(paris, () => ({ supersededIndex: 0 }));
  const answer = await batch(account, [
    { content: rome },
    { content: paris, auto_supersede: true },
    { content: "Bo likes tea", auto_supersede: true, tenant_id: "t" },
  ]);
  expectOk(answer);
  const [old, fresh, other] = answer.body.memory_ids;
  expect(answer.body.auto_supersede).toMatchObject([
    { memory_id: old, ran: false, skipped_reason: "disabled" },
    { memory_id: fresh, ran: true, supersession: { memory_id: old, superseded_by: fresh } },
    { memory_id: other, ran: false, skipped_reason: "no_candidates" },
  ]);
  expect(await memory(account, old)).toMatchObject({ superseded_by: fresh });
});

describe("a backdated entry ends nothing that was stated later", () => {
  const livesIn = (city: string, year: string, more: object = {}) => ({
    content: `Alice lives in ${city}`,
    valid_from: `${year}-01-01T00:00:00Z`,
    auto_supersede: true,
    ...more,
  });
  const [rome, bern, oslo] = [
    livesIn("Rome", "2020"),
    livesIn("Bern", "2021"),
    livesIn("Oslo", "2022"),
  ];
  /** The year in which each ends, by the city; null: it is current. */
  async function endsAfter(account: TestAccount, entries: readonly unknown[]) {
    expectOk(await batch(account, entries));
    const { memories } = await list(account, { include_superseded: "true" });
    const endOf = (end: string | null) => end?.slice(0, 4) ?? null;
    return Object.fromEntries(
      memories.map(({ decision, valid_to }: Record<"decision" | "valid_to", string>) => [
        decision.replace("Alice lives in ", ""),
        endOf(valid_to),
      ]),
    );
  }

  test.each([
    ["oldest first", [rome, bern, oslo], { Rome: "2021", Bern: "2022", Oslo: null }],
    ["newest first", [oslo, bern, rome], { Rome: null, Bern: null, Oslo: null }],
    ["mixed", [rome, oslo, bern], { Rome: "2022", Bern: null, Oslo: null }],
    [
      "where only the backdated one is to supersede",
      [livesIn("Oslo", "2022", { auto_supersede: false }), rome],
      { Rome: null, Oslo: null },
    ],
  ])("D23, D41: %s", async (_, entries, ends) => {
    const account = await spec.service.createAccount();
    expect(await endsAfter(account, entries)).toEqual(ends);
    const { answer } = await ask(account, "Where does Alice live?");
    expect(answer).toContain("Oslo");
  });

  test("D23, D41: a stored memory ends with the newest entry alone", async () => {
    const account = await spec.service.createAccount();
    expectOk(await batch(account, [livesIn("Linz", "2021", { auto_supersede: false })]));
    const entries = [rome, oslo, livesIn("Kyiv", "2020")];
    expect(await endsAfter(account, entries)).toEqual({
      Linz: "2022",
      Rome: "2022",
      Oslo: null,
      Kyiv: null,
    });
  });
});

test("D41, D29, D33: the first ones where the quota ends, and the response with the refusal", async () => {
  const account = await spec.service.createAccount({ writesLimit: SHORT_LIMIT });
  const key = { "idempotency-key": randomUUID() };
  const answer = await batch(account, contents(SHORT_LIMIT + 2), key);
  expect(answer.status).toBe(429);
  expect(answer.body).toMatchObject({
    reason: "write_quota_exceeded",
    status: "saved",
    saved_count: SHORT_LIMIT,
    memory_ids: Array(SHORT_LIMIT).fill(expect.any(String)),
  });
  expect((await list(account)).count).toBe(SHORT_LIMIT);
  expect((await batch(account, contents(SHORT_LIMIT + 2), key)).body).toEqual(answer.body);
  expectFailure(await batch(account, contents(1)), 429, "write_quota_exceeded");
});
