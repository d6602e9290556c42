/**
 * Every vendor, every operation, every way to fail: what the caller is told, and
 * how often it was tried.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Failure } from "../../src/domain/failure.ts";
import { MAX_ANSWER_CHARACTERS } from "../../src/providers/chat-model.ts";
import { MAX_BATCH_TEXTS } from "../../src/providers/embedder.ts";
import { createGeminiChatModel } from "../../src/providers/gemini/chat-model.ts";
import { createGeminiEmbedder } from "../../src/providers/gemini/embedder.ts";
import { createOpenAiChatModel } from "../../src/providers/openai/chat-model.ts";
import { createOpenAiEmbedder } from "../../src/providers/openai/embedder.ts";
import { startFakeGemini } from "../support/fake-gemini.ts";
import { startFakeOpenAi } from "../support/fake-openai.ts";
import { type FakeModelServer, type Fault, LIMITED_SECONDS } from "../support/fake-upstream.ts";
import { CALL } from "../support/model-call.ts";
import { upstreamOf } from "./upstream-of.ts";

const KEY = "key-of-the-operator-0123456789";
const PATIENT_MS = 20_000;
const IMPATIENT_MS = 1_000;

type Provider = "gemini" | "openai";

/** What of a vendor's differs. */
const VENDORS = {
  gemini: {
    start: startFakeGemini,
    path: "",
    model: "gemini-2.5-flash",
    chat: createGeminiChatModel,
    embedder: createGeminiEmbedder,
  },
  openai: {
    start: startFakeOpenAi,
    path: "/v1",
    model: "some-model",
    chat: createOpenAiChatModel,
    embedder: createOpenAiEmbedder,
  },
} as const;

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

/** In order; further requests are answered well. */
const OUTCOMES: readonly {
  readonly name: string;
  readonly faults: readonly Fault[];
  readonly timeoutMs?: number;
  /** Requests that arrive. */
  readonly requests: number;
  /** What the sentence says of the provider; null: it answers. */
  readonly says: string | null;
  readonly retryAfterSeconds?: number;
}[] = [
  { name: "answers well", faults: [], requests: 1, says: null },
  { name: "answers nonsense", faults: ["nonsense"], requests: 1, says: "gave no usable answer" },
  { name: "sends broken JSON once", faults: ["broken_json"], requests: 2, says: null },
  {
    name: "sends broken JSON every time",
    faults: times(4, "broken_json"),
    requests: 4,
    says: "gave no usable answer",
  },
  { name: "refuses as malformed", faults: ["bad_request"], requests: 1, says: "HTTP status 400" },
  {
    name: "refuses the key",
    faults: ["unauthorized"],
    requests: 1,
    says: "refused the request with HTTP status 401",
    retryAfterSeconds: 60,
  },
  { name: "redirects", faults: ["redirecting"], requests: 1, says: "HTTP status 307" },
  { name: "limits twice", faults: times(2, "limited"), requests: 3, says: null },
  { name: "limits every time", faults: times(4, "limited"), requests: 4, says: "HTTP status 429" },
  {
    name: "limits for longer than anybody waits",
    faults: ["limited_for_an_hour"],
    requests: 1,
    says: "HTTP status 429",
    retryAfterSeconds: LIMITED_SECONDS,
  },
  { name: "fails every time", faults: times(4, "failing"), requests: 4, says: "HTTP status 500" },
  { name: "breaks the connection once", faults: ["hanging_up"], requests: 2, says: null },
  {
    name: "breaks the connection every time",
    faults: times(4, "hanging_up"),
    requests: 4,
    says: "could not be reached",
  },
  { name: "breaks off midway once", faults: ["dropping"], requests: 2, says: null },
  {
    name: "breaks off midway every time",
    faults: times(4, "dropping"),
    requests: 4,
    says: "could not be reached",
  },
  {
    name: "says nothing",
    faults: ["stalling"],
    timeoutMs: IMPATIENT_MS,
    requests: 1,
    says: "did not answer in time",
  },
  {
    name: "stops saying anything",
    faults: ["stalling_in_body"],
    timeoutMs: IMPATIENT_MS,
    requests: 1,
    says: "did not answer in time",
  },
];

/** Of a prompt it is an answer, of a text to embed an error. */
const REFUSALS = [
  { name: "filters", faults: ["blocked"], requests: 1 },
  { name: "declines", faults: ["declined"], requests: 1 },
] as const;

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
    const lacks = [
      { name: "cuts its answer short", faults: ["cut_short" as const] },
      { name: "answers nothing", faults: ["empty" as const] },
    ].map((row) => ({ ...row, requests: 1, says: saysOfLack }));
    test.each([...OUTCOMES, ...lacks, ...REFUSALS.map((row) => ({ ...row, says: saysOfRefusal }))])(
      "where the provider $name",
      async ({ faults, timeoutMs, requests, says, ...expected }: (typeof OUTCOMES)[number]) => {
        const server = servers[name];
        server.next(...faults);
        const outcome = await call(timeoutMs).catch((error: unknown) => error);
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
        if (expected.retryAfterSeconds !== undefined) {
          expect(failure.retryAfterSeconds).toBe(expected.retryAfterSeconds);
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
