/** What the client sends again, when, and what it never does. */

import { Code, type PartialResult } from "agent-memory/client";
import { connectByFetch, createClientOver, PLATFORM } from "agent-memory/internal";
import { beforeEach, describe, expect, test } from "vitest";
import { forThisFile } from "../support/for-this-file.ts";
import { startTestService, type TestAccount } from "../support/service.ts";
import { createWaitingClient, createWaitingClock, errorOf } from "./fixture.ts";

/** The service refills by the clock that the client waits on. */
const clock = createWaitingClock();
let account: TestAccount;
const service = await forThisFile(
  startTestService({
    config: { rateLimit: true },
    monotonicMs: clock.monotonicMs,
  }),
);
beforeEach(async () => {
  account = await service.createAccount({ rate: 1, burst: 1_000 });
  clock.waitsMs.length = 0;
});

interface Sent {
  readonly path: string;
  readonly idempotencyKey: string | null;
}

/** A `fetch` that notes what is sent. It loses the first answers: the service has done its work. */
function losing(answers: number) {
  const sent: Sent[] = [];
  const fetchAndLose: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const headers = new Headers(init?.headers);
    const path = new URL(String(input)).pathname.split("/").at(-1) ?? "";
    sent.push({ path, idempotencyKey: headers.get("idempotency-key") });
    if (sent.length > answers) return response;
    await response.arrayBuffer();
    throw new TypeError("the connection was lost");
  };
  return { sent, fetch: fetchAndLose };
}

function clientOf(options: object = {}) {
  return createWaitingClient(clock, { url: service.url, apiKey: account.key, ...options });
}

describe("an answer that is lost", () => {
  test("a write is sent again with the same key, and stored once", async () => {
    const { sent, fetch } = losing(2);
    await clientOf({ fetch }).memories.createMemories({ content: "Alice lives in Berlin" });
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(sent[0]?.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
    expect((await account.rest("GET", "/plan/status")).body.writes_used).toBe(1);
  });

  test("so is one whose answer breaks off", async () => {
    let attempts = 0;
    const breakingOff: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (++attempts > 1) return answer;
      const body = new ReadableStream({
        pull: (controller) => controller.error(new TypeError("terminated")),
      });
      return new Response(body, answer);
    };
    await clientOf({ fetch: breakingOff }).memories.createMemories({ content: "A" });
    expect(attempts).toBe(2);
    expect((await account.rest("GET", "/plan/status")).body.writes_used).toBe(1);
  });

  test("two writes have two keys, and one of the caller's own is kept", async () => {
    const { sent, fetch } = losing(0);
    const { memories } = clientOf({ fetch });
    await memories.createMemories({ content: "A" });
    await memories.createMemories({ content: "A" });
    const headers = { "idempotency-key": "mine" };
    await memories.createMemories({ content: "A" }, { headers });
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
    expect(sent[2]?.idempotencyKey).toBe("mine");
  });

  test("a batch and a supersession have keys too", async () => {
    const { sent, fetch } = losing(0);
    const { memories } = clientOf({ fetch });
    const { memoryIds } = await memories.batchCreateMemories({
      memories: [{ content: "A" }, { content: "B" }],
    });
    const [memoryId, supersededBy] = memoryIds;
    await memories.supersedeMemory({ memoryId, supersededBy });
    for (const { idempotencyKey } of sent) expect(idempotencyKey).not.toBeNull();
  });

  test.each(["listMemories", "searchMemories", "queryMemories"] as const)(
    "a read is sent again: %s",
    async (rpc) => {
      const { sent, fetch } = losing(1);
      await clientOf({ fetch }).memories[rpc]({ question: "Where?" } as object);
      expect(sent).toHaveLength(2);
    },
  );

  test("an erasure is not: what was written since would go too", async () => {
    const { sent, fetch } = losing(1);
    const error = await errorOf(clientOf({ fetch }).memories.deleteMemories({}));
    expect(error).toMatchObject({ code: Code.Unavailable, reason: null });
    expect(sent).toHaveLength(1);
  });

  test("attempts end", async () => {
    const { sent, fetch } = losing(9);
    const error = await errorOf(clientOf({ fetch, maxAttempts: 3 }).plan.getPlanStatus({}));
    expect(error.code).toBe(Code.Unavailable);
    expect(sent).toHaveLength(3);
    // Half of a backoff that doubles.
    expect(clock.waitsMs).toEqual([100, 200]);
  });
});

describe("a service that asks to wait", () => {
  test("is asked again after that, whatever the call is", async () => {
    await service.updateAccount(account.companyId, { rate: 1, burst: 1 });
    const { memories, plan } = clientOf();
    await plan.getPlanStatus({});
    await memories.deleteMemories({});
    expect(clock.waitsMs).toHaveLength(1);
    expect(clock.waitsMs[0]).toBeGreaterThanOrEqual(1_000);
  });

  test("is not waited for beyond the cap: the error says for how long", async () => {
    await service.updateAccount(account.companyId, { rate: 1, burst: 1 });
    const { plan } = clientOf({ maxRetryWaitMs: 500 });
    await plan.getPlanStatus({});
    const error = await errorOf(plan.getPlanStatus({}));
    expect(error).toMatchObject({ code: Code.ResourceExhausted, reason: "rate_limited" });
    expect(error.retryAfterMs).toBeGreaterThanOrEqual(1_000);
    expect(clock.waitsMs).toEqual([]);
  });

  test("nor beyond the deadline", async () => {
    await service.updateAccount(account.companyId, { rate: 1, burst: 1 });
    const { plan } = clientOf({ timeoutMs: 900 });
    await plan.getPlanStatus({});
    expect((await errorOf(plan.getPlanStatus({}))).reason).toBe("rate_limited");
    expect(clock.waitsMs).toEqual([]);
  });

  test("a quota is no matter of waiting; what was stored before it ended is in the error", async () => {
    const small = await service.createAccount({ writesLimit: 1 });
    const { memories } = clientOf({ apiKey: small.key });
    const error = await errorOf(
      memories.batchCreateMemories({ memories: [{ content: "A" }, { content: "B" }] }),
    );
    expect(error.reason).toBe("write_quota_exceeded");
    const partial: PartialResult | null = error.partial;
    if (partial?.$typeName !== "agentmemory.v1.BatchCreateMemoriesResponse") {
      throw new Error("the error has no result of a batch");
    }
    expect(partial).toMatchObject({ savedCount: 1, memoryIds: [expect.any(String)] });
    expect(clock.waitsMs).toEqual([]);
  });
});

test.each([
  ["a field that is wrong", { limit: 0 }, "invalid_field"],
  ["a page that is none", { pageToken: "none" }, "invalid_field"],
])("%s is told at once", async (_, request, reason) => {
  const { sent, fetch } = losing(0);
  const error = await errorOf(clientOf({ fetch }).memories.listMemories(request));
  expect(error.reason).toBe(reason);
  expect(sent).toHaveLength(1);
});

test("a message that is too large is told at once, and not as a rate", async () => {
  const { sent, fetch } = losing(0);
  const content = "x".repeat(2 * 1024 * 1024);
  const error = await errorOf(clientOf({ fetch }).memories.createMemories({ content }));
  expect(error).toMatchObject({ code: Code.ResourceExhausted, reason: "body_too_large" });
  expect(sent).toHaveLength(1);
});

test("who goes away while the client waits is not kept", async () => {
  await service.updateAccount(account.companyId, { rate: 0.001, burst: 1 });
  const waiting = Promise.withResolvers<void>();
  const options = {
    url: service.url,
    apiKey: account.key,
    maxRetryWaitMs: 3_600_000,
    timeoutMs: 0,
  };
  const { plan } = createClientOver(connectByFetch("connect", options), options, {
    ...PLATFORM,
    sleep(durationMs, signal) {
      waiting.resolve();
      return PLATFORM.sleep(durationMs, signal);
    },
  });
  await plan.getPlanStatus({});
  const left = new AbortController();
  const failed = errorOf(plan.getPlanStatus({}, { signal: left.signal }));
  await waiting.promise;
  left.abort();
  expect((await failed).code).toBe(Code.Canceled);
});
