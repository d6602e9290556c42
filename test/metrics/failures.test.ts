/** What the operator sees of calls of models that fail. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Failure } from "../../src/domain/failure.ts";
import { DEFAULT_CLASSIFIER_MODEL } from "../../src/domain/settings.ts";
import { createMetrics } from "../../src/metrics.ts";
import type { CalledModel } from "../../src/providers/model-call.ts";
import {
  modelUnavailable,
  UpstreamError,
  type UpstreamProblem,
} from "../../src/providers/upstream/upstream-error.ts";
import { NO_TRACER } from "../../src/service/context.ts";
import { watchModels } from "../../src/service/model-calls.ts";
import { TEST_VERSION } from "../admin/admin-fixture.ts";
import {
  choiceOf,
  startFakeVendor,
  talkativeModel,
  VENDOR_KEYS,
} from "../providers/service/vendors.ts";
import type { FakeModelServer } from "../support/fake-upstream.ts";
import { embedExamples } from "../support/models.ts";
import { startTestService, type TestService } from "../support/service.ts";

describe("a service whose models are at a vendor", () => {
  let vendor: FakeModelServer;
  let service: TestService;
  beforeAll(async () => {
    vendor = await startFakeVendor("openai");
    vendor.chat = talkativeModel;
    const models = choiceOf("openai", vendor, {
      chat: { provider: "openai", model: "chat-1" },
      embeddings: { provider: "openai", model: "embedding-1", dimensions: 768 },
      limits: { timeoutMs: 1_000, maxInFlight: 4 },
    });
    service = await startTestService({ config: { models } });
    await embedExamples(service);
  });
  // A success after each failure: the provider is never given a rest.
  afterEach(async () => {
    vendor.reset();
    const { rest } = await service.createAccount();
    await rest("POST", "/agent/memories", { body: { content: "Ada lives in Rome" } });
  });
  afterAll(async () => {
    await service.close();
    await vendor.close();
  });

  /** The counter of failed calls by its labels, as it is rendered. */
  async function failures(): Promise<Map<string, number>> {
    const text = await (await fetch(`http://127.0.0.1:${service.adminPort}/metrics`)).text();
    expect(text).not.toContain(VENDOR_KEYS.openai);
    const lines = text.matchAll(/^agent_memory_model_failures_total\{(.+)\} (\d+)$/gm);
    return new Map([...lines].map(([, labels = "", count]) => [labels, Number(count)]));
  }

  test("counts one once, by its cause", async () => {
    const { rest } = await service.createAccount();
    vendor.always("unauthorized");
    const before = await failures();
    const answer = await rest("POST", "/agent/memories", {
      body: { content: "Ada lives in Rome" },
    });
    expect(answer).toMatchObject({ status: 503, body: { reason: "model_unavailable" } });
    const labels = 'operation="embed",provider="openai",model="embedding-1",cause="refused"';
    expect((await failures()).get(labels)).toBe((before.get(labels) ?? 0) + 1);
  });

  test("counts nothing where all goes well, and where the client leaves", async () => {
    const { rest } = await service.createAccount();
    const before = await failures();
    expect((await rest("POST", "/agent/memories", { body: { content: "A fact" } })).status).toBe(
      200,
    );
    vendor.always("stalling");
    const leaving = new AbortController();
    const key = (await service.createAccount()).key;
    const arrived = vendor.nextRequest();
    const call = fetch(`${service.url}/agent/memories`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ content: "A fact" }),
      signal: leaving.signal,
    });
    const { abandoned } = await arrived;
    leaving.abort();
    await expect(call).rejects.toThrow();
    await abandoned;
    expect(await failures()).toEqual(before);
  });
});

describe("the cause of a failed call", () => {
  const called: CalledModel = { operation: "answer", provider: "openai", model: "chat-1" };

  /** What is counted of a call that fails with this error. */
  async function countedOf(
    error: (signal: AbortSignal) => unknown,
    { byoLlm = false, of = called, aborted = undefined as unknown } = {},
  ): Promise<string[]> {
    const metrics = createMetrics(TEST_VERSION);
    const watch = watchModels({ metrics, tracer: NO_TRACER }, byoLlm);
    const left = new AbortController();
    if (aborted !== undefined) left.abort(aborted);
    const work = async () => {
      throw error(left.signal);
    };
    await expect(watch(of, work, left.signal)).rejects.toBeDefined();
    const text = await metrics.render();
    return [...text.matchAll(/^agent_memory_model_failures_total\{(.+)\} 1$/gm)].map(
      ([, labels = ""]) => labels,
    );
  }
  const unavailable = (cause?: unknown) => new Failure("model_unavailable", "no", { cause });
  const labels = (cause: string, { operation, provider, model } = called) => [
    `operation="${operation}",provider="${provider}",model="${model}",cause="${cause}"`,
  ];

  test.each<UpstreamProblem>([
    { kind: "unreachable", code: null },
    { kind: "failed", status: 500, waitMs: null },
    { kind: "limited", waitMs: null },
    { kind: "refused", status: 401 },
    { kind: "timed_out" },
    { kind: "garbled" },
    { kind: "unusable", what: "an empty list" },
    { kind: "resting" },
  ])("is the provider's: $kind", async (problem) => {
    const error = modelUnavailable("openai", new UpstreamError(problem));
    expect(await countedOf(() => error)).toEqual(labels(problem.kind));
  });

  test.each<[string, cause: string | null, error: unknown, aborted?: boolean]>([
    ["no room", "overloaded", new Failure("overloaded", "too many calls")],
    ["no sense", "unusable", unavailable()],
    ["an address that is not allowed", "refused", new Failure("invalid_field", "no")],
    ["the deadline", "timed_out", unavailable(new DOMException("late", "TimeoutError")), true],
    ["a timeout of the step", "timed_out", new DOMException("late", "TimeoutError"), true],
    ["a thread that took too long", "timed_out", unavailable(new DOMException("", "AbortError"))],
    ["a thread that died", "failed", unavailable(new Error("out of memory"))],
    ["a defect", "internal", new TypeError("x is not a function")],
    ["a client that left", null, new Error("the client went away"), true],
    ["another call's failure", null, unavailable(new UpstreamError({ kind: "timed_out" })), true],
  ])("%s: %s", async (_, cause, error, aborted = false) => {
    const counted = await countedOf(() => error, { aborted: aborted ? error : undefined });
    expect(counted).toEqual(cause === null ? [] : labels(cause));
  });

  test("is told without the name of a model that a caller chose", async () => {
    const error = () => unavailable();
    const extract = { ...called, operation: "extract", model: "my own" } as const;
    expect(await countedOf(error, { of: extract, byoLlm: true })).toEqual(
      labels("unusable", { ...extract, model: "byo" }),
    );
    const classify = { operation: "classify", provider: "gemini" } as const;
    for (const [model, told] of [
      ["gemini-of-an-account", "other"],
      [DEFAULT_CLASSIFIER_MODEL, DEFAULT_CLASSIFIER_MODEL],
    ] as const) {
      const of = { ...classify, model };
      expect(await countedOf(error, { of })).toEqual(labels("unusable", { ...of, model: told }));
    }
  });
});
