import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { ChatPrompt } from "../../../src/providers/chat-model.ts";
import { THOUGHT_TOKENS } from "../../../src/providers/chat-model.ts";
import type { ModelUsage } from "../../../src/providers/model-call.ts";
import { createOpenAiChatModel, createOpenAiEmbedder } from "../../../src/providers/openai.ts";
import { chunk, type RefusedParameters, startFakeOpenAi } from "../../support/fake-openai.ts";
import type { FakeModelServer } from "../../support/fake-upstream.ts";
import { CALL } from "../../support/model-call.ts";
import { upstreamOf } from "../upstream-of.ts";

const KEY = "openai-key-0123456789";

let server: FakeModelServer;
const others: FakeModelServer[] = [];
beforeAll(async () => {
  server = await startFakeOpenAi();
});
afterEach(() => {
  server.reset();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  for (const open of [server, ...others]) await open.close();
});

/** An endpoint that takes less than others. */
async function startRefusing(refused: RefusedParameters): Promise<FakeModelServer> {
  const refusing = await startFakeOpenAi(refused);
  others.push(refusing);
  return refusing;
}

function options(endpoint: FakeModelServer, apiKey: string | null = KEY) {
  return {
    apiKey,
    baseUrl: `${endpoint.origin}/v1`,
    model: "some-model",
    upstream: upstreamOf({ provider: "openai" }),
  };
}

const SCHEMA = {
  type: "object",
  properties: { facts: { type: "array", items: { type: "string" } } },
  required: ["facts"],
  additionalProperties: false,
};
const PROMPT: ChatPrompt = {
  system: "You list facts.",
  user: "I live in Oslo.",
  schema: SCHEMA,
  maxOutputTokens: 100,
};

describe("chat", () => {
  test("sends instructions and text apart, with no sampling and a strict schema", async () => {
    const completion = await createOpenAiChatModel(options(server)).complete(PROMPT, CALL);
    expect(completion).toMatchObject({ inputTokens: 110, outputTokens: 25, attempts: 1 });
    expect(server.requests[0]?.body).toEqual({
      model: "some-model",
      messages: [
        { role: "system", content: "You list facts." },
        { role: "user", content: "I live in Oslo." },
      ],
      temperature: 0,
      max_tokens: 100,
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", strict: true, schema: SCHEMA },
      },
    });
  });

  test.each([400, 422])(
    "an endpoint that knows no schemas (%i) is told of it in words, from then on at once",
    async (status) => {
      const endpoint = await startRefusing({
        response_format: { status, message: "Unknown field: response_format" },
      });
      const model = createOpenAiChatModel(options(endpoint));
      const first = await model.complete(PROMPT, CALL);
      expect(first.attempts).toBe(2);
      const second = await model.complete(PROMPT, CALL);
      expect(second.attempts).toBe(1);
      const [refused, ...taken] = endpoint.requests.map(({ body }) => body);
      expect(refused.response_format).toBeDefined();
      expect(taken).toHaveLength(2);
      for (const { messages, response_format } of taken) {
        expect(response_format).toBeUndefined();
        expect(messages[0].content).toContain(JSON.stringify(SCHEMA));
      }
    },
  );

  test("a model that thinks first gets its own name for the limit, with room to think", async () => {
    const endpoint = await startRefusing({
      max_tokens: { status: 400, message: "Use 'max_completion_tokens' instead." },
      temperature: { status: 400, message: "Unsupported value: 'temperature'" },
    });
    const completion = await createOpenAiChatModel(options(endpoint)).complete(PROMPT, CALL);
    expect(completion.attempts).toBe(3);
    const body = endpoint.requests.at(-1)?.body;
    expect(body.max_tokens).toBeUndefined();
    expect(body.temperature).toBeUndefined();
    expect(body.max_completion_tokens).toBeGreaterThan(1_000);
  });

  test.each([
    ["gpt-4.1-mini", 0, 100],
    ["gpt-5-mini", undefined, undefined],
    ["o4-mini", undefined, undefined],
    ["Qwen/Qwen3-8B", undefined, 100],
  ])("%s is sent the temperature %s and the limit %s", async (model, temperature, max_tokens) => {
    await createOpenAiChatModel({ ...options(server), model }).complete(PROMPT, CALL);
    const { body } = server.requests[0] ?? {};
    expect([body.temperature, body.max_tokens]).toEqual([temperature, max_tokens]);
    expect(server.requests).toHaveLength(1);
  });

  test.each(["", "<think>Let me see, the user", "Let me see, the user says [1]"])(
    "a model whose thoughts count against the limit gets more room once, and that is remembered: %j",
    async (thought) => {
      const endpoint = await startFakeOpenAi();
      others.push(endpoint);
      endpoint.chat = ({ maxTokens }) =>
        maxTokens > 1_000 ? '{"value": 1}' : { text: thought, isCutOff: true };
      const model = createOpenAiChatModel(options(endpoint));
      const limits = () => endpoint.requests.map(({ body }) => body.max_tokens);
      const answers = [await model.complete(PROMPT, CALL), await model.complete(PROMPT, CALL)];
      expect(answers.map(({ text }) => text)).toEqual(['{"value": 1}', '{"value": 1}']);
      expect(limits()).toEqual([100, 100 + THOUGHT_TOKENS, 100 + THOUGHT_TOKENS]);
    },
  );

  test("an error with the status of an answer is tried again", async () => {
    const endpoint = await startFakeOpenAi();
    others.push(endpoint);
    const error = { status: 200, body: { error: { code: 502, message: "Provider error" } } };
    const said = [error, "Oslo."];
    endpoint.chat = () => said.shift() ?? "";
    const answer = await createOpenAiChatModel(options(endpoint)).complete(PROMPT, CALL);
    expect(answer).toMatchObject({ text: "Oslo.", attempts: 2 });
  });

  describe("an endpoint whose context has no room for more", () => {
    /** It has as many tokens for an answer, and its next answers are cut off as said. */
    async function startShort(most: number, ...cutOff: boolean[]) {
      const endpoint = await startFakeOpenAi();
      others.push(endpoint);
      const message = `'max_tokens' or 'max_completion_tokens' is too large: its maximum is ${most}.`;
      endpoint.chat = ({ maxTokens }) => {
        if (maxTokens > most) return { status: 400, body: { error: { message } } };
        return cutOff.shift() ? { text: "", isCutOff: true } : "Oslo.";
      };
      const model = createOpenAiChatModel(options(endpoint));
      const ask = async () => (await model.complete(PROMPT, CALL)).text;
      const limits = () => endpoint.requests.map(({ body }) => body.max_tokens);
      return { endpoint, ask, limits };
    }

    test("is asked as before after one empty answer that was cut off", async () => {
      const { ask, limits } = await startShort(4_096, true);
      expect([await ask(), await ask()]).toEqual(["", "Oslo."]);
      expect(limits()).toEqual([100, 100 + THOUGHT_TOKENS, 100]);
    });

    test("is asked with less where it has refused what it took before", async () => {
      const { endpoint, ask, limits } = await startShort(2 * THOUGHT_TOKENS, true);
      expect(await ask()).toBe("Oslo.");
      const short = await startShort(4_096);
      endpoint.chat = short.endpoint.chat;
      expect([await ask(), await ask()]).toEqual(["Oslo.", "Oslo."]);
      const roomy = 100 + THOUGHT_TOKENS;
      expect(limits()).toEqual([100, roomy, roomy, 100, 100]);
    });

    test("is asked as before where more room did not help", async () => {
      const { ask, limits } = await startShort(2 * THOUGHT_TOKENS, true, true);
      expect([await ask(), await ask()]).toEqual(["", "Oslo."]);
      expect(limits()).toEqual([100, 100 + THOUGHT_TOKENS, 100]);
    });
  });

  test.each([
    ["stop", false],
    ["tool_calls", false],
    ["length", true],
    ["error", true],
    ["insufficient_system_resource", true],
  ])("an answer that ends with %s was cut off: %s", async (reason, isCutOff) => {
    const endpoint = await startFakeOpenAi();
    others.push(endpoint);
    const chunks = [chunk({ content: "{" }), chunk({}, reason)];
    endpoint.chat = () => ({
      events: chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`),
    });
    const model = createOpenAiChatModel(options(endpoint));
    expect(await model.complete(PROMPT, CALL, () => {})).toMatchObject({ isCutOff });
  });

  test("a streamed answer that was all hidden thought is streamed again with more room", async () => {
    const endpoint = await startFakeOpenAi();
    others.push(endpoint);
    endpoint.chat = ({ maxTokens }) => (maxTokens > 1_000 ? "Oslo." : { text: "", isCutOff: true });
    const shown: string[] = [];
    const model = createOpenAiChatModel(options(endpoint));
    const answer = await model.complete(PROMPT, CALL, (text) => shown.push(text));
    expect({ answer: answer.text, shown: shown.join("") }).toEqual({
      answer: "Oslo.",
      shown: "Oslo.",
    });
  });

  test("an endpoint that refuses all the same is not believed about the parameter", async () => {
    const endpoint = await startFakeOpenAi();
    others.push(endpoint);
    const model = createOpenAiChatModel(options(endpoint));
    endpoint.always("bad_request");
    await expect(model.complete(PROMPT, CALL)).rejects.toMatchObject({
      reason: "model_unavailable",
    });
    endpoint.always(null);
    await model.complete(PROMPT, CALL);
    expect(endpoint.requests.at(-1)?.body.response_format).toBeDefined();
  });
});

describe("embeddings", () => {
  const embedder = (endpoint: FakeModelServer, dimensions = 768) =>
    createOpenAiEmbedder({ ...options(endpoint), dimensions });

  test("are asked for in base64, and of the configured length", async () => {
    const usages: ModelUsage[] = [];
    const texts = ["Alice lives in Oslo", "Bob has a dog"];
    const vectors = await embedder(server, 512).embed(texts, "query", {
      ...CALL,
      report: (usage) => usages.push(usage),
    });
    expect(server.requests[0]?.body).toEqual({
      model: "some-model",
      input: texts,
      encoding_format: "base64",
      dimensions: 512,
    });
    for (const vector of vectors) expect(Math.hypot(...Array.from(vector))).toBeCloseTo(1, 6);
    expect(usages).toMatchObject([
      { operation: "embed", provider: "openai", model: "some-model", inputTokens: 16 },
    ]);
  });

  test("belong to their texts by their index, not by their place", async () => {
    const [alice, bob] = await embedder(server).embed(["Alice", "Bob"], "document", CALL);
    const [bobAlone] = await embedder(server).embed(["Bob"], "document", CALL);
    expect(bob).toEqual(bobAlone);
    expect(alice).not.toEqual(bob);
  });

  test.each([
    ["dimensions", 400, 'Model "bge-m3" does not support matryoshka representation', undefined],
    ["dimensions", 400, "dimensions is currently not supported", undefined],
    ["encoding_format", 422, "encoding_format: Input should be 'float'", "float"],
  ] as const)(
    "an endpoint that refuses %s (%i: %s) is not asked again",
    async (name, status, message, then) => {
      const value = then === undefined ? {} : { value: "base64" };
      const endpoint = await startRefusing({ [name]: { status, message, ...value } });
      const one = embedder(endpoint);
      for (const text of ["Alice", "Bob"]) await one.embed([text], "document", CALL);
      const asked = endpoint.requests.map(({ body }) => body[name]);
      expect(asked).toEqual([expect.anything(), then, then]);
    },
  );

  test("are the same in base64 and, where an endpoint gives those all the same, as numbers", async () => {
    const numbers = await startFakeOpenAi({}, { givesBase64: false });
    others.push(numbers);
    const [inBase64] = await embedder(server).embed(["Alice"], "document", CALL);
    const [asNumbers] = await embedder(numbers).embed(["Alice"], "document", CALL);
    expect(inBase64).toHaveLength(768);
    for (const [index, value] of Array.from(asNumbers ?? []).entries()) {
      expect(inBase64?.[index]).toBeCloseTo(value, 6);
    }
  });
});

describe("what is sent besides the question", () => {
  test("nothing from the environment, and nothing about this machine", async () => {
    vi.stubEnv("OPENAI_ORG_ID", "org-secret");
    vi.stubEnv("OPENAI_PROJECT_ID", "project-secret");
    vi.stubEnv("OPENAI_ADMIN_KEY", "admin-secret");
    vi.stubEnv("OPENAI_API_KEY", "key-secret");
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "x-gateway: gateway-secret");
    await createOpenAiChatModel(options(server)).complete(PROMPT, CALL);
    await createOpenAiChatModel(options(server, null)).complete(PROMPT, CALL);
    for (const { headers } of server.requests) {
      expect(JSON.stringify(headers)).not.toContain("secret");
      expect(Object.keys(headers).filter((name) => name.startsWith("x-"))).toEqual([]);
    }
    const keys = server.requests.map(({ headers }) => headers.authorization);
    expect(keys).toEqual([`Bearer ${KEY}`, undefined]);
  });
});
