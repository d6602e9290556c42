import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { billingPeriod } from "../../src/domain/billing-period.ts";
import { DAY, parseInstant, SECOND } from "../../src/domain/instant.ts";
import { GRACE_DAYS } from "../../src/domain/plan.ts";
import type { RestAnswer } from "../support/rest-client.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";
import {
  expectFailure,
  expectOk,
  expectRetryAfter,
  list,
  listIds,
  plan,
  remember,
  rememberMany,
  supersede,
  unique,
  write,
} from "./calls.ts";
import { scriptModels, unavailable } from "./scripted-models.ts";

const script = scriptModels();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ models: script.models });
});
afterAll(() => service.close());

/** A conversation with so many facts. */
function conversation(facts: number) {
  const opening = unique(`${facts} facts`);
  script.extractions.set(opening, () =>
    Array.from({ length: facts }, (_, i) => ({ decision: `Fact ${i} of ${opening}` })),
  );
  return { messages: [{ role: "user", content: opening }] };
}

/** Seconds to the end of the account's billing period. */
async function secondsToNextPeriod(account: TestAccount): Promise<number> {
  const start = parseInstant((await plan(account)).period_start) ?? 0n;
  const now = service.clock.now();
  return Number(billingPeriod(start, now).end - now) / Number(SECOND);
}

describe("counting (D29)", () => {
  test("8 limit write quota, D29: each stored memory is one write", async () => {
    const account = await service.createAccount();
    await remember(account);
    await write(account, conversation(3));
    await write(account, conversation(0));
    expect((await plan(account)).writes_used).toBe(4);
  });

  test("D29: reads, supersessions, settings and refused or failed writes cost nothing", async () => {
    const account = await service.createAccount();
    const [a = "", b = ""] = await rememberMany(account, 2);
    const broken = unique("No model");
    script.vectors.set(broken, unavailable);
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
    const account = await service.createAccount({ writesLimit: 7 });
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
    const account = await service.createAccount({ writesLimit: 10 });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => write(account, conversation(3))),
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
    account = await service.createAccount({ writesLimit: 3 });
    await remember(account);
    body = { ...conversation(5), tenant_id: "acme", source: "crm" };
    answer = await write(account, body, headers);
  });

  test("8 bulk write, D29, 7 status 429: 429 with `detail` and all fields of the 200 response", () => {
    expect(answer.status).toBe(429);
    const [first, second] = answer.body.memory_ids;
    const notRun = {
      ran: false,
      skipped_reason: "disabled",
      candidates_examined: 0,
      supersession: null,
    };
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
        { memory_id: first, ...notRun },
        { memory_id: second, ...notRun },
      ],
    });
  });

  test("8 bulk write, D15: it says when to go on", async () => {
    const wait = expectRetryAfter(answer);
    expect(Math.abs(wait - (await secondsToNextPeriod(account)))).toBeLessThan(60);
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

  test("D33: it is the first response also when the quota has changed since", async () => {
    const caller = await service.createAccount({ writesLimit: 1 });
    const request = conversation(2);
    const first = await write(caller, request, headers);
    expect(first).toMatchObject({ status: 429, body: { saved_count: 1 } });
    await service.updateAccount(caller.companyId, { writesLimit: 50 });
    service.clock.advance(SECOND);
    const again = await write(caller, request, headers);
    expect([again.status, again.body]).toEqual([429, first.body]);
    expect((await list(caller)).count).toBe(1);
  });

  test("D29: with nothing remaining, 429 before any model is called", async () => {
    const more = conversation(2);
    const asked = script.shown.length;
    const refused = await write(account, more);
    expectFailure(refused, 429, "write_quota_exceeded");
    expectFailure(await write(account, { content: "Ada" }), 429, "write_quota_exceeded");
    expect(script.shown).toHaveLength(asked);
  });
});

describe("grace and block (D30)", () => {
  type Call = (account: TestAccount, id: string) => Promise<RestAnswer>;
  const CALLS: Record<string, Call> = {
    write: (account) => write(account, { content: "Ada" }),
    list: (account) => account.rest("GET", "/agent/memories"),
    query: (account) => account.rest("POST", "/agent/query", { body: { question: "Ada?" } }),
    timeline: (account, id) => account.rest("GET", `/memories/${id}/timeline`),
    audit: (account, id) => account.rest("GET", `/memories/${id}/audit`),
    settings: (account) => account.rest("GET", "/agent/settings"),
    "change of settings": (account) =>
      account.rest("PATCH", "/agent/settings", { body: { min_confidence: 0.5 } }),
    supersession: (account, id) => supersede(account, id, { valid_to: "2999-01-01T00:00:00Z" }),
    "plan status": (account) => account.rest("GET", "/plan/status"),
    deletion: (account) => account.rest("DELETE", "/agent/memories"),
  };
  const ALWAYS = ["plan status", "deletion"];

  /** What each call answers, in the order above: the deletion last. */
  async function statuses(account: TestAccount, id: string) {
    const answers: Record<string, string> = {};
    for (const [name, call] of Object.entries(CALLS)) {
      const { status, body } = await call(account, id);
      answers[name] = status === 200 ? "200" : `${status} ${body.reason}`;
    }
    return answers;
  }
  const all = (answer: string, except: Record<string, string> = {}) => ({
    ...Object.fromEntries(Object.keys(CALLS).map((name) => [name, answer])),
    ...except,
  });

  test("3.2 within quota -> in grace period, 8 limit grace period, D30: writes answer 429, all else works", async () => {
    const account = await service.createAccount({ writesLimit: 2 });
    const id = await remember(account);
    expect(await plan(account)).toMatchObject({ in_grace_period: false, blocked: false });
    await remember(account);
    expect(await plan(account)).toMatchObject({ in_grace_period: true, blocked: false });
    expect(await statuses(account, id)).toEqual(all("200", { write: "429 write_quota_exceeded" }));
  });

  test("3.2 in grace period -> blocked, 8 limit grace period, D30: 7 days later reads answer 429 too", async () => {
    expect(GRACE_DAYS).toBe(7);
    const account = await service.createAccount({ writesLimit: 1 });
    await service.clock.hold(async () => {
      const id = await remember(account);
      service.clock.advance(BigInt(GRACE_DAYS) * DAY - 1n);
      expectOk(await account.rest("GET", "/agent/memories"));
      expect(await plan(account)).toMatchObject({ in_grace_period: true, blocked: false });
      service.clock.advance(1n);
      expect(await plan(account)).toMatchObject({ in_grace_period: false, blocked: true });
      for (const name of Object.keys(CALLS).filter((each) => !ALWAYS.includes(each))) {
        const refused = await CALLS[name]?.(account, id);
        if (refused === undefined) throw new Error(name);
        expectFailure(refused, 429, "plan_blocked");
        const wait = expectRetryAfter(refused);
        expect(Math.abs(wait - (await secondsToNextPeriod(account)))).toBeLessThan(2);
      }
      expect(await statuses(account, id)).toEqual(
        all("429 plan_blocked", { "plan status": "200", deletion: "200" }),
      );
    });
  });

  test("D30, 2.7 blocked: the next period ends the block, and usage is 0 again", async () => {
    const account = await service.createAccount({ writesLimit: 1, graceDays: 0 });
    const id = await remember(account);
    expectFailure(await account.rest("GET", "/agent/memories"), 429, "plan_blocked");
    const seconds = await secondsToNextPeriod(account);
    await service.clock.hold(async () => {
      service.clock.advance(BigInt(Math.ceil(seconds)) * SECOND + SECOND);
      expect(await plan(account)).toMatchObject({
        writes_used: 0,
        in_grace_period: false,
        blocked: false,
      });
      expect(await listIds(account)).toEqual([id]);
      expectOk(await write(account, { content: "Ada" }));
    });
  });

  test("D30: a wait of `Retry-After` is long enough, and not a second too long", async () => {
    const account = await service.createAccount({ writesLimit: 0 });
    await service.clock.hold(async () => {
      const wait = expectRetryAfter(await write(account, { content: "Ada" }));
      const start = parseInstant((await plan(account)).period_start) ?? 0n;
      service.clock.advance(BigInt(wait) * SECOND);
      expect(parseInstant((await plan(account)).period_start)).toBeGreaterThan(start);
      service.clock.advance(-SECOND);
      expect(parseInstant((await plan(account)).period_start)).toBe(start);
      service.clock.advance(SECOND);
    });
  });

  test("D30: an upgrade ends grace and block at once", async () => {
    const account = await service.createAccount({ writesLimit: 1, graceDays: 0 });
    await remember(account);
    expectFailure(await account.rest("GET", "/agent/memories"), 429, "plan_blocked");
    await service.updateAccount(account.companyId, { planTier: "pro", writesLimit: 5 });
    service.clock.advance(SECOND);
    expectOk(await write(account, { content: "Ada" }));
    expect(await plan(account)).toMatchObject({
      plan_tier: "pro",
      writes_used: 2,
      in_grace_period: false,
      blocked: false,
    });
  });

  test.each([
    ["D31: `past_due` works as active", "past_due", {}],
    [
      "D31: `canceled` refuses writes with 403 and serves the rest",
      "canceled",
      { write: "403 plan_canceled" },
    ],
  ])("%s", async (_, planStatus, except) => {
    const account = await service.createAccount();
    const id = await remember(account);
    await service.updateAccount(account.companyId, { planStatus });
    service.clock.advance(SECOND);
    expect(await statuses(account, id)).toEqual(all("200", except));
  });

  test("D31: 403 of a canceled plan has no time to wait for", async () => {
    const account = await service.createAccount({ planStatus: "canceled" });
    const answer = await write(account, conversation(1));
    expectFailure(answer, 403, "plan_canceled");
    expect(answer.headers.get("retry-after")).toBeNull();
  });
});
