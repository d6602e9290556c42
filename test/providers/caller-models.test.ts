/** A caller's own model, as far as the wire: which addresses are connected to (D27). */
import type { LookupAddress } from "node:dns";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Llm } from "../../src/domain/memory-write.ts";
import { createCallerModels } from "../../src/providers/caller-models.ts";
import { THOUGHT_TOKENS } from "../../src/providers/chat-model.ts";
import { startFakeGemini } from "../support/fake-gemini.ts";
import { startFakeOpenAi } from "../support/fake-openai.ts";
import type { FakeModelServer } from "../support/fake-upstream.ts";
import { CALL } from "../support/model-call.ts";

const KEY = "the-key-of-a-caller-0123456789";
const PROMPT = { system: "Say yes.", user: "Well?", schema: null, maxOutputTokens: 100 };
const LOOPBACK: LookupAddress = { address: "127.0.0.1", family: 4 };
const PUBLIC: LookupAddress = { address: "93.184.215.14", family: 4 };

const servers = {} as Record<Llm["provider"], FakeModelServer>;
beforeAll(async () => {
  servers.gemini = await startFakeGemini();
  servers.openai = await startFakeOpenAi();
});
afterEach(() => {
  for (const server of Object.values(servers)) server.reset();
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
});

/** The models that callers may bring from the hosts allowed, which resolve as the test says. */
function modelsOn(provider: Llm["provider"], allowed: string, resolve = neverAsked) {
  const { port } = new URL(servers[provider].origin);
  const models = createCallerModels({
    allowedHosts: [`${allowed}:${port}`],
    limits: { timeoutMs: 20_000, maxInFlight: 4 },
    monotonicMs: () => performance.now(),
    resolve,
  });
  const path = provider === "openai" ? "/v1" : "";
  return (llm: Partial<Llm> = {}, scheme = "http") =>
    models({
      provider,
      model: "some-model",
      apiKey: KEY,
      baseUrl: `${scheme}://${allowed}:${port}${path}`,
      ...llm,
    });
}

describe.each(["gemini", "openai"] as const)("%s", (provider) => {
  test("a private host that was allowed by its name is called, with the caller's key", async () => {
    const model = modelsOn(provider, "ollama", async () => [LOOPBACK])();
    await expect(model.complete(PROMPT, CALL)).resolves.toMatchObject({ text: "Yes." });
    const { headers } = servers[provider].requests[0] ?? {};
    expect(headers?.["x-goog-api-key"] ?? headers?.authorization).toContain(KEY);
  });

  test.each([
    ["a private address", [LOOPBACK]],
    ["a private address among public ones", [PUBLIC, LOOPBACK]],
    ["no address", []],
  ])("a public name that resolves to %s is not called", async (_, addresses) => {
    const model = modelsOn(provider, "llm.example", async () => addresses)({}, "https");
    await expect(model.complete(PROMPT, CALL)).rejects.toMatchObject({
      reason: "invalid_field",
      field: "llm.base_url",
    });
    expect(servers[provider].requests).toHaveLength(0);
  });

  test("a name that changes its address is asked once for each connection, and that one is used", async () => {
    const answers = [[LOOPBACK], [{ address: "169.254.169.254", family: 4 }]];
    const asked: string[] = [];
    const model = modelsOn(provider, "ollama", async (host) => {
      asked.push(host);
      return answers.shift() ?? [];
    })();
    await expect(model.complete(PROMPT, CALL)).resolves.toMatchObject({ text: "Yes." });
    expect(asked).toEqual(["ollama"]);
    // The next connection is checked like the first.
    servers[provider].next("hanging_up");
    await expect(model.complete(PROMPT, CALL)).rejects.toMatchObject({
      reason: "invalid_field",
    });
    expect(asked).toEqual(["ollama", "ollama"]);
  });

  test("a name that can't be resolved is a model that can't be reached", async () => {
    const model = modelsOn(provider, "ollama", async () => {
      throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    })();
    await expect(model.complete(PROMPT, CALL)).rejects.toMatchObject({
      reason: "model_unavailable",
    });
  });

  test("a key that can't be sent is refused before anything is", () => {
    expect(() => modelsOn(provider, "ollama")({ apiKey: "clé" })).toThrow(
      expect.objectContaining({ reason: "invalid_field", field: "llm.api_key" }),
    );
  });

  test("what calls have shown of a model is known of the next one, whosever it is", async () => {
    const most = PROMPT.maxOutputTokens + THOUGHT_TOKENS;
    servers[provider].chat = ({ maxTokens }) =>
      maxTokens < most ? { text: "", isCutOff: true } : "Yes.";
    const modelOf = modelsOn(provider, "127.0.0.1");
    for (const [model, attempts] of [
      ["gemini-2.5-flash", 2],
      ["gemini-2.5-flash", 1],
      ["gemini-2.5-flash-lite", 2],
    ] as const) {
      await expect(modelOf({ model }).complete(PROMPT, CALL)).resolves.toMatchObject({ attempts });
    }
    servers[provider].chat = () => "Yes.";
  });

  test("one caller's failing model is not another's", async () => {
    const modelOf = modelsOn(provider, "127.0.0.1");
    servers[provider].always("failing");
    for (let i = 0; i < 3; i++) {
      await expect(modelOf({ apiKey: "bad" }).complete(PROMPT, CALL)).rejects.toMatchObject({
        reason: "model_unavailable",
      });
    }
    servers[provider].always(null);
    await expect(modelOf({ apiKey: "good" }).complete(PROMPT, CALL)).resolves.toMatchObject({
      text: "Yes.",
    });
  });
});

test.each(["../files", "a/b", "gemini?x", "", "gemini#", "tuned Models"])(
  "a Gemini model is a name, not a path: %j",
  (model) => {
    expect(() => modelsOn("gemini", "ollama")({ model })).toThrow(
      expect.objectContaining({ reason: "invalid_field", field: "llm.model" }),
    );
  },
);

async function neverAsked(_host: string): Promise<LookupAddress[]> {
  throw new Error("an address needs no resolving");
}
