/** Writes that are refused with the field at fault, or whose models do not answer (D28). */
import { expect, test } from "vitest";
import type { TestAccount } from "../../support/service.ts";
import { expectInvalid, list, plan, says, unique, write } from "../calls.ts";
import { ALLOWED_HOST, unavailable } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

let account: Promise<TestAccount> | undefined;
/** Refused writes store nothing, so that they may share one account. */
function sharedAccount(): Promise<TestAccount> {
  account ??= spec.service.createAccount();
  return account;
}

const CONTENT = { content: "Ada lives in Paris" };
const MESSAGES = { messages: [says("Hello")] };
const LLM = { provider: "openai", model: "m", api_key: "k" };

test.each<[string, unknown, string]>([
  ["D6: both nulls are neither", { content: null, messages: null }, "content"],
  ["D6: a blank content", { content: " \n\t\u3000" }, "content"],
  ["D6: an empty list of messages beside content", { ...CONTENT, messages: [] }, "messages"],
  ["D7: a field in camelCase", { ...CONTENT, tenantId: "acme" }, "tenantId"],
  [
    "D9: another word, even beside importance_score",
    { ...CONTENT, importance: "urgent", importance_score: 5 },
    "importance",
  ],
])("%s", async (_, body, field) => {
  expectInvalid(await write(await sharedAccount(), body), field);
});

test("D13: a number beyond 32 bits is told the range of its field", async () => {
  for (const importance_score of [11, 99_999_999_999_999, -99_999_999_999_999]) {
    const answer = await write(await sharedAccount(), { ...CONTENT, importance_score });
    expectInvalid(answer, "importance_score");
    expect(answer.body.detail).toContain("must be a whole number from 1 to 10");
  }
});

test.each([
  ["D27: another host", "https://evil.example/v1"],
  ["D27: the host as a user", `https://${ALLOWED_HOST}@evil.example/v1`],
  ["D27: the host without TLS", `http://${ALLOWED_HOST}/v1`],
  ["D27: this machine", "http://127.0.0.1/v1"],
])("%s is no base_url", async (_, base_url) => {
  const caller = await sharedAccount();
  const answer = await write(caller, { ...MESSAGES, llm: { ...LLM, base_url } });
  expectInvalid(answer, "llm.base_url");
});

test("D7: a query parameter is as unknown as a field", async () => {
  const caller = await sharedAccount();
  const answer = await caller.rest("POST", "/agent/memories?tenant_id=acme", { body: CONTENT });
  expectInvalid(answer, "tenant_id");
});

test("D13: what was refused has stored nothing and cost nothing", async () => {
  const caller = await sharedAccount();
  expect(await list(caller, { include_superseded: "true" })).toMatchObject({ count: 0 });
  expect((await plan(caller)).writes_used).toBe(0);
});

test.each(["content", "messages"])("D28, 7 status 503: nothing is stored (%s)", async (mode) => {
  const caller = await spec.service.createAccount();
  const text = unique("No model");
  if (mode === "content") spec.script.vectors.set(text, unavailable);
  else spec.script.extractions.set(text, unavailable);
  const answer = await write(
    caller,
    mode === "content" ? { content: text } : { messages: [says(text)] },
  );
  expect(answer.status).toBe(503);
  expect(answer.body).toEqual({ detail: expect.any(String), reason: "model_unavailable" });
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(await list(caller, { include_superseded: "true" })).toMatchObject({ count: 0 });
  expect((await plan(caller)).writes_used).toBe(0);
});

test("D28: an embedder that fails after the extraction stores none of the facts", async () => {
  const caller = await spec.service.createAccount();
  const opening = unique("Extracted but not embedded");
  const lost = unique("Lost fact");
  spec.script.extractions.set(opening, () => [{ decision: "Kept" }, { decision: lost }]);
  spec.script.vectors.set(lost, unavailable);
  expect((await write(caller, { messages: [says(opening)] })).status).toBe(503);
  expect(await list(caller, { include_superseded: "true" })).toMatchObject({ count: 0 });
  expect((await plan(caller)).writes_used).toBe(0);
});
