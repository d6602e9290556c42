/**
 * Every vendor, every operation, every way to fail: what the caller is told, and
 * how often it was tried.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Failure } from "../../src/domain/failure.ts";
import { MAX_ANSWER_CHARACTERS } from "../../src/providers/chat-model.ts";
import { MAX_BATCH_TEXTS } from "../../src/providers/embedder.ts";
import { type FakeModelServer, type Fault, LIMITED_SECONDS } from "../support/fake-upstream.ts";
import { CALL } from "../support/model-call.ts";
import { upstreamOf, VENDORS } from "./upstream-of.ts";

const KEY = "key-of-the-operator-0123456789";
const PATIENT_MS = 20_000;
const IMPATIENT_MS = 1_000;

type Provider = "gemini" | "openai";

const servers = {} as Record<Provider, FakeModelServer>;

beforeAll(async () => {
  for (const provider of ["gemini", "openai"] as const) {
    servers[provider] = await VENDORS[provider].start();
    servers[provider].key = KEY;
  }
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
});

type Outcome = [
  what: string,
  /** In order; further requests are answered well. */
  faults: readonly Fault[],
  /** Requests that arrive. */
  requests: number,
  /** What the sentence says of the provider; null: it answers. */
  says: string | null,
  retryAfterSeconds?: number,
];
const OUTCOMES: readonly Outcome[] = [
  ["answers well", [], 1, null],
  ["answers nonsense", ["nonsense"], 1, "gave no usable answer"],
  ["sends broken JSON once", ["broken_json"], 2, null],
  ["sends broken JSON every time", times(4, "broken_json"), 4, "gave no usable answer"],
  ["refuses as malformed", ["bad_request"], 1, "HTTP status 400"],
  ["refuses the key", ["unauthorized"], 1, "refused the request with HTTP status 401", 60],
  ["redirects", ["redirecting"], 1, "HTTP status 307"],
  ["limits twice", times(2, "limited"), 3, null],
  ["limits every time", times(4, "limited"), 4, "HTTP status 429"],
  ["limits for an hour", ["limited_for_an_hour"], 1, "HTTP status 429", LIMITED_SECONDS],
  ["fails every time", times(4, "failing"), 4, "HTTP status 500"],
  ["breaks the connection once", ["hanging_up"], 2, null],
  ["breaks the connection every time", times(4, "hanging_up"), 4, "could not be reached"],
  ["breaks off midway once", ["dropping"], 2, null],
  ["breaks off midway every time", times(4, "dropping"), 4, "could not be reached"],
  ["says nothing", ["stalling"], 1, "did not answer in time"],
  ["stops saying anything", ["stalling_in_body"], 1, "did not answer in time"],
];

/** Side by side, since most of the time passes in waits; one after the other with one server. */
const ONE_BY_ONE = { concurrent: false };

describe.concurrent.each(["gemini", "openai"] as const)("%s", (name) => {
  afterEach(() => servers[name].reset());
  const vendor = VENDORS[name];
  const options = (timeoutMs: number) => ({
    apiKey: KEY,
    baseUrl: `${servers[name].origin}${vendor.path}`,
    model: vendor.model,
    upstream: upstreamOf({ provider: name, timeoutMs }),
  });
  const prompt = { system: "Say yes.", user: "Well?", schema: null, maxOutputTokens: 100 };
  const chat = (timeoutMs = PATIENT_MS) => vendor.chat(options(timeoutMs)).complete(prompt, CALL);
  const streamed = async (timeoutMs = PATIENT_MS) => {
    let shown = "";
    const answer = await vendor.chat(options(timeoutMs)).complete(prompt, CALL, (text) => {
      shown += text;
    });
    expect(shown).toBe(answer.text);
    return answer;
  };
  const embed = (timeoutMs = PATIENT_MS, texts = ["one", "two"]) =>
    vendor.embedder({ ...options(timeoutMs), dimensions: 768 }).embed(texts, "document", CALL);

  describe.each([
    ["chat", chat, null, null],
    ["chat in pieces", streamed, null, null],
    ["embeddings", embed, "HTTP status 400", "gave no usable answer"],
  ] as const)("%s", ONE_BY_ONE, (_, call, saysOfRefusal, saysOfLack) => {
    // Of a prompt they are answers, of a text to embed errors.
    const ofKind: readonly Outcome[] = [
      ["filters", ["blocked"], 1, saysOfRefusal],
      ["declines", ["declined"], 1, saysOfRefusal],
      ["cuts its answer short", ["cut_short"], 1, saysOfLack],
      ["answers nothing", ["empty"], 1, saysOfLack],
    ];
    test.each([...OUTCOMES, ...ofKind])(
      "where the provider %s",
      async (_, faults, requests, says, retryAfterSeconds) => {
        const isSlow = says === "did not answer in time";
        const server = servers[name];
        server.next(...faults);
        const outcome = await call(isSlow ? IMPATIENT_MS : PATIENT_MS).catch(
          (error: unknown) => error,
        );
        expect(server.requests).toHaveLength(requests);
        if (says === null) {
          expect(outcome).not.toBeInstanceOf(Error);
          return;
        }
        expect(outcome).toBeInstanceOf(Failure);
        const failure = outcome as Failure;
        expect(failure.reason).toBe("model_unavailable");
        expect(failure.message).toContain(`the model provider "${name}" `);
        expect(failure.message).toContain(says);
        expect(failure.retryAfterSeconds).toBeGreaterThan(0);
        if (retryAfterSeconds !== undefined) {
          expect(failure.retryAfterSeconds).toBe(retryAfterSeconds);
        }
      },
    );

    test("where nobody listens at its address", async () => {
      const server = servers[name];
      const gone = await vendor.start();
      await gone.close();
      servers[name] = gone;
      try {
        await expect(call()).rejects.toThrow("could not be reached");
      } finally {
        servers[name] = server;
      }
    });
  });

  describe.each([
    ["chat", chat],
    ["chat in pieces", streamed],
  ] as const)("%s", ONE_BY_ONE, (_, ask) => {
    test("D27b: a refusal of a chat model is told as one", async () => {
      for (const fault of ["blocked", "declined"] as const) {
        servers[name].next(fault);
        await expect(ask()).resolves.toMatchObject({ isRefused: true });
      }
      await expect(ask()).resolves.toMatchObject({ isRefused: false });
    });

    test("what a chat model said before its limit is told as cut off", async () => {
      servers[name].next(null, "cut_short");
      await expect(ask()).resolves.toMatchObject({ isCutOff: false });
      await expect(ask()).resolves.toMatchObject({
        isCutOff: true,
        text: expect.stringContaining('{"facts'),
      });
    });

    test("where it says as much as it may, and where it says more", async () => {
      servers[name].chat = () => "x".repeat(MAX_ANSWER_CHARACTERS);
      await expect(ask()).resolves.toMatchObject({ attempts: 1 });
      servers[name].chat = () => "x".repeat(MAX_ANSWER_CHARACTERS + 1);
      await expect(ask()).rejects.toThrow("gave no usable answer");
      servers[name].chat = () => "Yes.";
    });
  });

  test("where it refuses one batch of several, the others end", ONE_BY_ONE, async () => {
    const server = servers[name];
    server.next("stalling", "unauthorized");
    const texts = new Array(MAX_BATCH_TEXTS + 1).fill("text");
    await expect(embed(PATIENT_MS, texts)).rejects.toThrow("HTTP status 401");
    expect(server.requests).toHaveLength(2);
    await server.requests[0]?.abandoned;
  });
});

function times(count: number, fault: Fault): Fault[] {
  return new Array(count).fill(fault);
}
