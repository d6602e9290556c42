/** `llm` on a write: the caller's own model extracts, for that call alone (D27). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { FakeModelServer } from "../../support/fake-upstream.ts";
import { startTestService, type TestAccount, type TestService } from "../../support/service.ts";
import { choiceOf, startFakeVendor, talkativeModel, type VendorName } from "./vendors.ts";

const CALLERS_KEY = "the-callers-own-key-1a2b3c";
const MESSAGES = [{ role: "user", content: "Alice lives in Oslo." }];

const VENDORS: readonly VendorName[] = ["gemini", "openai"];
const callers = {} as Record<VendorName, FakeModelServer>;
let operators: FakeModelServer;
let service: TestService;

beforeAll(async () => {
  operators = await startFakeVendor("gemini");
  for (const name of VENDORS) {
    callers[name] = await startFakeVendor(name);
    callers[name].key = CALLERS_KEY;
  }
  const models = choiceOf("gemini", operators, {
    llmAllowedHosts: VENDORS.map((name) => new URL(callers[name].origin).host),
  });
  service = await startTestService({ config: { models } });
});
afterEach(() => {
  for (const server of [operators, ...Object.values(callers)]) {
    server.reset();
    server.chat = talkativeModel;
  }
});
afterAll(async () => {
  await service.close();
  for (const server of [operators, ...Object.values(callers)]) await server.close();
});

function llmOf(provider: VendorName, change: object = {}) {
  const { origin } = callers[provider];
  return {
    provider,
    model: "the-callers-model",
    api_key: CALLERS_KEY,
    base_url: provider === "openai" ? `${origin}/v1` : origin,
    ...change,
  };
}

function write(account: TestAccount, llm: object) {
  return account.rest("POST", "/agent/memories", { body: { messages: MESSAGES, llm } });
}

describe.each(VENDORS)("%s", (provider) => {
  test("extracts with the caller's model and key; all else is the service's", async () => {
    const account = await service.createAccount();
    callers[provider].chat = talkativeModel;
    const { status, body } = await write(account, llmOf(provider));
    expect(status).toBe(200);
    expect(body.extracted).toEqual(["Alice lives in Oslo."]);
    expect(body.extraction).toEqual({ provider, model: "the-callers-model", byo_llm: true });
    expect(callers[provider].requests).toHaveLength(1);
    expect(operators.requests.map(({ path }) => path.split(":")[1])).toEqual([
      "batchEmbedContents",
    ]);
    const audit = await account.rest("GET", `/memories/${body.memory_ids[0]}/audit`);
    expect(audit.body.extraction).toEqual({
      provider,
      model: "the-callers-model",
      byo_llm: true,
    });
    expect(JSON.stringify(audit.body)).not.toContain(CALLERS_KEY);
  });
});
