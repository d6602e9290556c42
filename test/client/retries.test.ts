/** What the clients send again, when, and what they never do. */

import { Code, type PartialResult } from "agent-memory/client";
import { createClient as createGrpcJsClient } from "agent-memory/client/grpc-js";
import { createRestClient } from "agent-memory/client/rest";
import { connectByFetch, createClientOver, PLATFORM } from "agent-memory/internal";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
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
  readonly idempotencyKey: string | null;
}

/**
 * A `fetch` that notes what is sent. It loses the first answers, whole or within their body: the
 * service has done its work.
 */
function losing(answers: number, within: "whole" | "body" = "whole") {
  const sent: Sent[] = [];
  const fetchAndLose: typeof fetch = async (input, init) => {
    const { headers } =
      input instanceof Request ? input : new Request(input, { headers: init?.headers });
    sent.push({ idempotencyKey: headers.get("idempotency-key") });
    const response = await fetch(input, init);
    if (sent.length > answers) return response;
    await response.arrayBuffer();
    const lost = new TypeError("the connection was lost");
    if (within === "whole") throw lost;
    return new Response(new ReadableStream({ start: (body) => body.error(lost) }), response);
  };
  return { sent, fetch: fetchAndLose };
}

function clientOf(options: object = {}) {
  return createWaitingClient(clock, { url: service.url, apiKey: account.key, ...options });
}

function restClientOf(options: object = {}) {
  const sleep = async (durationMs: number) => clock.advance(durationMs);
  return createRestClient(
    { url: service.url, apiKey: account.key, ...options },
    { ...PLATFORM, monotonicMs: clock.monotonicMs, random: () => 0.5, sleep },
  );
}

/** The calls of either client. */
const CLIENTS = {
  "the client of the RPCs": (options: object = {}) => {
    const { memories, plan } = clientOf(options);
    return {
      write: (key?: string) =>
        memories.createMemories({ content: "A" }, key ? { headers: { [KEY]: key } } : {}),
      ask: () => memories.queryMemories({ question: "Where?" }),
      erase: () => memories.deleteMemories({}),
      status: () => plan.getPlanStatus({}),
    };
  },
  "the client of the REST paths": (options: object = {}) => {
    const client = restClientOf(options);
    return {
      write: (key?: string) => {
        const params = { header: { "Idempotency-Key": key } };
        return client.POST("/agent/memories", { params, body: { content: "A" } });
      },
      ask: () => client.POST("/agent/query", { body: { question: "Where?" } }),
      erase: () => client.DELETE("/agent/memories"),
      status: () => client.GET("/plan/status"),
    };
  },
};
const KEY = "idempotency-key";

describe.each(Object.entries(CLIENTS))("%s", (_, create) => {
  test.each(["whole", "body"] as const)(
    "sends a write again whose answer is lost (%s), with its key, and it is stored once",
    async (within) => {
      const { sent, fetch } = losing(2, within);
      await create({ fetch }).write();
      expect(sent).toHaveLength(3);
      expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
      expect(sent[0]?.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
      expect((await account.rest("GET", "/plan/status")).body.writes_used).toBe(1);
    },
  );

  test("has a key for each write, and keeps one of the caller's own", async () => {
    const { sent, fetch } = losing(0);
    const { write } = create({ fetch });
    for (const key of [undefined, undefined, "mine"]) await write(key);
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
    expect(sent[2]?.idempotencyKey).toBe("mine");
  });

  test("takes a deadline that no timer can wait for as none", async () => {
    const { status } = create({ timeoutMs: 2 ** 31 });
    await status();
  });

  test("sends a question again, and no erasure: what was written since would go too", async () => {
    const question = losing(1);
    await create({ fetch: question.fetch }).ask();
    expect(question.sent).toHaveLength(2);
    const erasure = losing(1);
    await expect(create({ fetch: erasure.fetch }).erase()).rejects.toThrow();
    expect(erasure.sent).toHaveLength(1);
  });

  test("waits as long as the service asks for, whatever the call is", async () => {
    await service.updateAccount(account.companyId, { rate: 1, burst: 1 });
    const { status, erase } = create();
    await status();
    await erase();
    expect(clock.waitsMs).toEqual([expect.toSatisfy((ms: number) => ms >= 1_000)]);
  });
});

test("the client of the REST paths ends a call with its deadline", async () => {
  const never = (request: Request) =>
    new Promise<Response>((_, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason));
    });
  const call = restClientOf({ timeoutMs: 5, fetch: never }).GET("/plan/status");
  await expect(call).rejects.toMatchObject({ name: "TimeoutError" });
});

describe("an answer that is lost", () => {
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
  test.each([
    ["fetch", clientOf],
    [
      "grpc-js",
      (options: object) =>
        createGrpcJsClient({ url: service.url, apiKey: account.key, ...options }),
    ],
  ])("is not waited for beyond the cap by %s: the error says for how long", async (_, create) => {
    await service.updateAccount(account.companyId, { rate: 0.1, burst: 1 });
    const { plan, close } = create({ maxRetryWaitMs: 500, timeoutMs: 5_000 });
    onTestFinished(close);
    await plan.getPlanStatus({});
    const error = await errorOf(plan.getPlanStatus({}));
    expect(error).toMatchObject({ code: Code.ResourceExhausted, reason: "rate_limited" });
    expect(error.retryAfterMs).toBeGreaterThanOrEqual(1_000);
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
