/** The further question about what a language model stated of a conversation (D27a, D28). */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { choiceOf, startFakeVendor, storedOf } from "../../providers/service/vendors.ts";
import { allStated, asksWhatIsStated } from "../../support/checked-facts.ts";
import type { FakeModelServer, FakePrompt } from "../../support/fake-upstream.ts";
import { LOCAL_MODELS, startTestService, type TestService } from "../../support/service.ts";

const MESSAGES = [{ role: "user", content: "I moved to Oslo, my sister Bea lives in Rome." }];
const STATED = [
  { quote: "I moved to Oslo", fact: "The user moved to Oslo", kind: "statement" },
  { quote: "The sister is in Rome", fact: "The user's sister lives in Rome", kind: "statement" },
  { quote: "I moved to Oslo", fact: "The user moved to Bergen", kind: "statement" },
  { quote: "my sister Bea lives in Rome", fact: "The user lives in Rome", kind: "statement" },
  { quote: "I moved to Oslo", fact: "The user lives in Lisbon", kind: "retraction" },
].map((each) => ({ message: 0, topic: "Location", importance: 5, ...each }));

let model: FakeModelServer;
let service: TestService;
beforeAll(async () => {
  model = await startFakeVendor("openai");
  const { embeddings } = LOCAL_MODELS;
  service = await startTestService({
    config: { models: choiceOf("openai", model, { embeddings }) },
  });
});
afterEach(() => model.reset());
afterAll(async () => {
  await service.close();
  await model.close();
});

/** A model that states facts, and answers so when it is asked about them. */
function modelAnswering(check: (prompt: FakePrompt) => string) {
  return (prompt: FakePrompt) => {
    if (asksWhatIsStated(prompt.schema)) return check(prompt);
    return JSON.stringify({ facts: STATED });
  };
}

test("D27a: what it denies is told with its message and the reason, a paraphrased quote is none", async () => {
  model.chat = modelAnswering(() =>
    JSON.stringify({ stated: [1, 2], not_said: [3], someone_else: [4], denied: [5] }),
  );
  const { rest } = await service.createAccount();
  const body = { messages: MESSAGES, auto_supersede: false };
  const written = await rest("POST", "/agent/memories", { body });
  expect(written.body.extracted).toEqual([STATED[0]?.fact, STATED[1]?.fact]);
  expect(written.body.rejected).toEqual([
    { fact: "The user moved to Bergen", message_index: 0, reason: "names" },
    { fact: "The user lives in Rome", message_index: 0, reason: "subject" },
    { fact: "The user lives in Lisbon", message_index: 0, reason: "negation" },
  ]);
});

test.each<[string, string]>([
  ["fails", "failing"],
  ["can't be read", "nonsense of the model"],
])("D28: a further call that %s stores nothing and spends no quota", async (_, mood) => {
  model.chat = modelAnswering(() => "Let me think about that.");
  if (mood === "failing") {
    // The extraction succeeds; every try of the further call does not.
    model.next(null);
    model.always("failing");
  }
  const account = await service.createAccount();
  const before = await storedOf(service, account);
  const headers = { "idempotency-key": crypto.randomUUID() };
  const body = { messages: MESSAGES, auto_supersede: false };
  const refused = await account.rest("POST", "/agent/memories", { body, headers });
  expect(refused).toMatchObject({ status: 503, body: { reason: "model_unavailable" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await storedOf(service, account)).toEqual(before);
  model.reset();
  model.chat = modelAnswering(({ user }) => JSON.stringify(allStated(user)));
  const repeated = await account.rest("POST", "/agent/memories", { body, headers });
  expect(repeated).toMatchObject({ status: 200, body: { saved_count: 4 } });
});
