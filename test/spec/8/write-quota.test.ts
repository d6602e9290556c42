/** How writes are counted, and what happens to those beyond the quota (D29). */
import { beforeAll, describe, expect, test } from "vitest";
import type { RestAnswer } from "../../support/rest-client.ts";
import type { TestAccount } from "../../support/service.ts";
import {
  expectFailure,
  expectRetryAfter,
  list,
  listIds,
  NOT_RUN,
  plan,
  remember,
  rememberMany,
  supersede,
  unique,
  write,
} from "../calls.ts";
import { unavailable } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";
import { conversation, secondsToNextPeriod } from "./quota.ts";

const spec = useSpec({ rateLimit: true });

describe("counting (D29)", () => {
  test("8 limit write quota, D29: each stored memory is one write", async () => {
    const account = await spec.service.createAccount();
    await remember(account);
    await write(account, conversation(spec, 3));
    await write(account, conversation(spec, 0));
    expect((await plan(account)).writes_used).toBe(4);
  });

  test("D29: reads, supersessions, settings and refused or failed writes cost nothing", async () => {
    const account = await spec.service.createAccount();
    const [a = "", b = ""] = await rememberMany(account, 2);
    const broken = unique("No model");
    spec.script.vectors.set(broken, unavailable);
    const answers = [
      await account.rest("GET", "/agent/memories"),
      await account.rest("POST", "/agent/query", { body: { question: "Which?" } }),
      await supersede(account, a, { superseded_by: b }),
      await account.rest("PATCH", "/agent/settings", { body: { min_confidence: 0.5 } }),
      await write(account, { content: "" }),
      await write(account, { content: broken }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 422, 503]);
    expect((await plan(account)).writes_used).toBe(2);
  });

  test("D29, 4.1 rule 3: of many writes at once exactly as many are stored as remain", async () => {
    const account = await spec.service.createAccount({ writesLimit: 7 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => write(account, { content: `Fact ${i}` })),
    );
    const stored = answers.filter(({ status }) => status === 200);
    expect(stored).toHaveLength(7);
    for (const answer of answers) {
      if (answer.status !== 200) expectFailure(answer, 429, "write_quota_exceeded");
    }
    expect((await list(account)).count).toBe(7);
    expect(await plan(account)).toMatchObject({ writes_used: 7, writes_remaining: 0 });
  });

  test("D29: of many conversations at once no fact is lost or stored beyond the quota", async () => {
    const account = await spec.service.createAccount({ writesLimit: 10 });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => write(account, conversation(spec, 3))),
    );
    const told = answers.flatMap(({ body }) => body.memory_ids ?? []);
    expect(told).toHaveLength(10);
    expect((await listIds(account)).toSorted()).toEqual(told.toSorted());
    for (const { status, body } of answers) {
      expect(status).toBe(body.saved_count === 3 ? 200 : 429);
    }
    expect((await plan(account)).writes_used).toBe(10);
  });
});

describe("a write that is larger than what remains (D29)", () => {
  let account: TestAccount;
  let body: object;
  let answer: RestAnswer;
  const headers = { "idempotency-key": "partial" };

  beforeAll(async () => {
    account = await spec.service.createAccount({ writesLimit: 3 });
    await remember(account);
    body = { ...conversation(spec, 5), tenant_id: "acme", source: "crm" };
    answer = await write(account, body, headers);
  });

  test("8 bulk write, D29, 7 status 429: 429 with `detail` and all fields of the 200 response", () => {
    expect(answer.status).toBe(429);
    const [first, second] = answer.body.memory_ids;
    expect(answer.body).toEqual({
      detail: expect.stringMatching(/./),
      reason: "write_quota_exceeded",
      status: "extracted",
      company_id: account.companyId,
      tenant_id: "acme",
      extracted_count: 5,
      saved_count: 2,
      memory_ids: [first, second],
      extracted: Array.from({ length: 5 }, (_, i) => expect.stringContaining(`Fact ${i} of`)),
      extraction: { provider: "local", model: expect.any(String), byo_llm: false },
      auto_supersede: [
        { memory_id: first, ...NOT_RUN },
        { memory_id: second, ...NOT_RUN },
      ],
      rejected: [],
      retractions: [],
      usage: null,
    });
  });

  test("8 bulk write, D15: it says when to go on", async () => {
    const wait = expectRetryAfter(answer);
    expect(Math.abs(wait - (await secondsToNextPeriod(spec, account)))).toBeLessThan(60);
  });

  test("8 bulk write, D29: the first facts are stored, in order", async () => {
    const { memories } = await list(account, { tenant_id: "acme", source: "crm" });
    expect(memories.map(({ id }: { id: string }) => id).toReversed()).toEqual(
      answer.body.memory_ids,
    );
    expect(memories[0].decision).toContain("Fact 1 of");
    expect(await plan(account)).toMatchObject({ writes_used: 3, writes_remaining: 0 });
  });

  test("D29, D33: the response is kept for its idempotency key", async () => {
    const again = await write(account, body, headers);
    expect(again.status).toBe(429);
    expect(again.body).toEqual(answer.body);
    expectRetryAfter(again);
    expect((await list(account, { tenant_id: "acme" })).count).toBe(2);
  });

  test("D29: with nothing remaining, 429 before any model is called", async () => {
    const more = conversation(spec, 2);
    const asked = spec.script.shown.length;
    const refused = await write(account, more);
    expectFailure(refused, 429, "write_quota_exceeded");
    expectFailure(await write(account, { content: "Ada" }), 429, "write_quota_exceeded");
    expect(spec.script.shown).toHaveLength(asked);
  });
});
