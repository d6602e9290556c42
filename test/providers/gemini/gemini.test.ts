import { afterEach, describe, expect, test } from "vitest";
import { type ChatPrompt, THOUGHT_TOKENS } from "../../../src/providers/chat-model.ts";
import { createGeminiChatModel, createGeminiEmbedder } from "../../../src/providers/gemini.ts";
import { startFakeGemini } from "../../support/fake-gemini.ts";
import { forThisFile } from "../../support/for-this-file.ts";
import { CALL } from "../../support/model-call.ts";
import { upstreamOf } from "../upstream-of.ts";

const KEY = "gemini-key-0123456789";

const server = await forThisFile(startFakeGemini());
server.key = KEY;
afterEach(() => server.reset());

function options(model = "gemini-2.5-flash") {
  return {
    apiKey: KEY,
    baseUrl: server.origin,
    model,
    upstream: upstreamOf({ provider: "gemini" }),
  };
}

const PROMPT: ChatPrompt = {
  system: "You list facts.",
  user: "I live in Oslo.",
  schema: null,
  maxOutputTokens: 100,
};

describe("chat", () => {
  test("sends instructions and text apart, with no sampling, and the key in a header only", async () => {
    server.chat = ({ system, user, schema }) => JSON.stringify({ system, user, schema });
    const completion = await createGeminiChatModel(options()).complete(PROMPT, CALL);
    expect(JSON.parse(completion.text)).toEqual({
      system: "You list facts.",
      user: "I live in Oslo.",
      schema: null,
    });
    const [request] = server.requests;
    expect(request?.path).toBe("/v1beta/models/gemini-2.5-flash:generateContent");
    expect(request?.headers["x-goog-api-key"]).toBe(KEY);
    expect(request?.body).toEqual({
      systemInstruction: { role: "system", parts: [{ text: "You list facts." }] },
      contents: [{ role: "user", parts: [{ text: "I live in Oslo." }] }],
      safetySettings: [],
      generationConfig: {
        temperature: 0,
        maxOutputTokens: 100,
        thinkingConfig: { thinkingBudget: 0 },
      },
    });
  });

  test.each([
    ["gemini-2.5-pro", 0],
    ["gemini-3-flash", 1],
    ["models/gemini-3.1-pro-preview", 1],
  ])("%s is sent the temperature that its vendor advises: %i", async (model, temperature) => {
    server.chat = () => "Yes.";
    await createGeminiChatModel(options(model)).complete(PROMPT, CALL);
    expect(server.requests[0]?.body.generationConfig.temperature).toBe(temperature);
  });

  test("thoughts that use up the limit raise it once, and that is remembered", async () => {
    const most = 100 + THOUGHT_TOKENS;
    server.chat = ({ maxTokens }) => (maxTokens > most ? "Yes." : { text: "", isCutOff: true });
    const model = createGeminiChatModel(options("gemini-3-flash"));
    for (const attempts of [2, 1]) {
      expect(await model.complete(PROMPT, CALL)).toMatchObject({ text: "Yes.", attempts });
    }
  });

  test("more room that is refused is given up, and the first answer counts", async () => {
    const most = 100 + THOUGHT_TOKENS;
    const refused = { status: 400, body: { error: { message: "maxOutputTokens is too large" } } };
    const said = ["", "Yes."];
    server.chat = ({ maxTokens }) =>
      maxTokens > most ? refused : { text: said.shift() ?? "", isCutOff: true };
    const model = createGeminiChatModel(options("gemini-3-flash"));
    for (const [text, attempts] of [
      ["", 2],
      ["Yes.", 1],
    ]) {
      expect(await model.complete(PROMPT, CALL)).toMatchObject({ text, attempts });
    }
  });

  test("tells the tokens of thoughts where nothing was said", async () => {
    const usageMetadata = { promptTokenCount: 10, thoughtsTokenCount: 630 };
    server.chat = () => ({ status: 200, body: { candidates: [{}], usageMetadata } });
    const answer = await createGeminiChatModel(options()).complete(PROMPT, CALL);
    expect(answer).toMatchObject({ inputTokens: 10, outputTokens: 630 });
    server.chat = () => "Yes.";
  });

  test("D27b: an answer without a candidate is an empty one", async () => {
    server.chat = () => ({ status: 200, body: { candidates: [] } });
    const answer = await createGeminiChatModel(options()).complete(PROMPT, CALL);
    expect(answer).toMatchObject({ text: "", isRefused: false, isCutOff: false });
    server.chat = () => "Yes.";
  });

  test("leaves room to think where that can't be switched off", async () => {
    await createGeminiChatModel(options("gemini-2.5-pro")).complete(PROMPT, CALL);
    const [{ generationConfig }] = server.requests.map(({ body }) => body);
    expect(generationConfig.thinkingConfig).toBeUndefined();
    expect(generationConfig.maxOutputTokens).toBeGreaterThan(1_000);
  });

  test("has the vendor hold the model to the schema, with its properties in their order", async () => {
    const schema = {
      type: "object",
      properties: { reason: { type: ["string", "null"] }, answer: { type: "string" } },
      required: ["reason", "answer"],
      additionalProperties: false,
    };
    await createGeminiChatModel(options()).complete({ ...PROMPT, schema }, CALL);
    const [{ generationConfig }] = server.requests.map(({ body }) => body);
    expect(generationConfig.responseMimeType).toBe("application/json");
    expect(JSON.stringify(generationConfig.responseJsonSchema)).toBe(JSON.stringify(schema));
  });

  test("tells tokens, thoughts included, and how often it was tried", async () => {
    server.chat = () => "Yes.";
    server.next("failing");
    const completion = await createGeminiChatModel(options()).complete(PROMPT, CALL);
    expect(completion).toMatchObject({
      text: "Yes.",
      inputTokens: 120,
      outputTokens: 35,
      attempts: 2,
    });
    expect(Number.isInteger(completion.durationMs)).toBe(true);
  });
});

describe("embeddings", () => {
  function embedder(dimensions = 768) {
    return createGeminiEmbedder({ ...options("gemini-embedding-001"), dimensions });
  }

  test.each([
    ["document", "RETRIEVAL_DOCUMENT"],
    ["query", "RETRIEVAL_QUERY"],
  ] as const)("of a %s say so, and how long they are to be", async (purpose, taskType) => {
    await embedder(512).embed(["Alice lives in Oslo"], purpose, CALL);
    const [request] = server.requests;
    expect(request?.path).toBe("/v1beta/models/gemini-embedding-001:batchEmbedContents");
    expect(request?.body).toEqual({
      requests: [
        {
          model: "models/gemini-embedding-001",
          content: { role: "user", parts: [{ text: "Alice lives in Oslo" }] },
          taskType,
          outputDimensionality: 512,
        },
      ],
    });
  });
});
