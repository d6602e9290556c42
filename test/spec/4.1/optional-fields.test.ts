/** What the other fields of a write do, and what they default to. */
import { beforeAll, expect, test } from "vitest";
import { audit, expectFailure, expectOk, memoryOf, NOT_RUN, says, write } from "../calls.ts";
import { ALLOWED_HOST } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";
import { tablesWithText } from "../stored-text.ts";

const spec = useSpec();

const CONTENT = { content: "Ada lives in Paris" };
const MESSAGES = { messages: [says("With optional fields")] };
beforeAll(() => {
  spec.script.extractions.set("With optional fields", () => [
    { decision: "Ada lives in Paris", topic: "Home", importanceScore: 7 },
  ]);
});

test.each([
  [
    "4.1 request topic, 4.1 request importance_score, 4.1 request source, 4.1 request tenant_id: by default",
    CONTENT,
    { topic: "General", importance_score: 5, source: "agent", tenant_id: null },
  ],
  [
    "4.1 request topic, 4.1 request importance_score, 4.1 request source, 4.1 request tenant_id: as given",
    { ...CONTENT, topic: "Travel", importance_score: 9, source: "crm", tenant_id: "acme" },
    { topic: "Travel", importance_score: 9, source: "crm", tenant_id: "acme" },
  ],
  [
    "4.1 request source, D6a: with messages; topic and importance are ignored, whatever they are",
    { ...MESSAGES, topic: "X", importance: "whatever", importance_score: 99 },
    { topic: "Home", importance_score: 7, source: "agent_session" },
  ],
  ["4.1 request source: as given with messages", { ...MESSAGES, source: "x" }, { source: "x" }],
  [
    "D9: `importance_score` wins over `importance`",
    { ...CONTENT, importance: "high", importance_score: 1 },
    { importance_score: 1 },
  ],
  ["D6a: `llm` is ignored with content", { ...CONTENT, llm: {} }, { source: "agent" }],
  [
    "D7a: null is the same as leaving the field out",
    {
      ...CONTENT,
      messages: null,
      topic: null,
      importance_score: null,
      importance: null,
      source: null,
      session_id: null,
      auto_supersede: null,
      llm: null,
      valid_from: null,
      valid_to: null,
    },
    { topic: "General", importance_score: 5, source: "agent", valid_to: null },
  ],
  ["D7a: `content` null with messages is messages mode", { ...MESSAGES, content: null }, {}],
])("%s", async (_, body, expected) => {
  const caller = await spec.service.createAccount();
  const answer = await write(caller, body);
  expectOk(answer);
  const [id] = answer.body.memory_ids ?? [answer.body.memory_id];
  const memory = await memoryOf(caller, id);
  expect(memory).toMatchObject(expected);
  expect(memory).not.toHaveProperty("importance");
});

test("D27, 4.1 request llm: the caller's own model extracts, and the response says so", async () => {
  const caller = await spec.service.createAccount();
  const llm = {
    provider: "openai",
    model: "gpt-test",
    api_key: "secret-key-of-the-caller",
    base_url: `https://${ALLOWED_HOST}/v1`,
  };
  const { status, body } = await write(
    caller,
    { ...MESSAGES, llm },
    { "idempotency-key": "with-llm" },
  );
  expect(status).toBe(200);
  expect(body.extraction).toEqual({ provider: "openai", model: "gpt-test", byo_llm: true });
  const record = await audit(caller, body.memory_ids[0]);
  expect(record.extraction).toEqual(body.extraction);
  expect(JSON.stringify([body, record])).not.toContain(llm.api_key);
  expect(await tablesWithText(spec.service, llm.api_key)).toEqual([]);
  expect(spec.logged.join("\n")).not.toContain(llm.api_key);
});

test("D27, D33: a repeat with another key of the caller's model is the same request, with another model not", async () => {
  const caller = await spec.service.createAccount();
  const repeatKey = { "idempotency-key": "other-llm-key" };
  const writeWith = (llm: object) => {
    const model = { provider: "openai", model: "m", base_url: `https://${ALLOWED_HOST}/v1` };
    return write(caller, { ...MESSAGES, llm: { ...model, ...llm } }, repeatKey);
  };
  const first = await writeWith({ api_key: "one-key" });
  expectOk(first);
  // Nothing is kept that depends on the key, not even a digest.
  expect((await writeWith({ api_key: "another-key" })).body).toEqual(first.body);
  const other = await writeWith({ api_key: "one-key", model: "another" });
  expectFailure(other, 422, "idempotency_key_reused");
});

test("4.1 request auto_supersede: overrides the setting for one request", async () => {
  const caller = await spec.service.createAccount();
  await caller.rest("PATCH", "/agent/settings", { body: { auto_supersede_default: true } });
  const byDefault = await write(caller, CONTENT);
  expect(byDefault.body.auto_supersede.skipped_reason).toBe("no_candidates");
  const overridden = await write(caller, { ...CONTENT, auto_supersede: false });
  expect(overridden.body.auto_supersede).toEqual(NOT_RUN);
});
