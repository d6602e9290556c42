/** Questions that are refused, or that no model answers (D28). */
import { beforeAll, expect, test } from "vitest";
import type { TestAccount } from "../../support/service.ts";
import { expectInvalid, expectOk, expectRetryAfter, unique, write } from "../calls.ts";
import { unavailable } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

let account: TestAccount;
beforeAll(async () => {
  account = await spec.service.createAccount();
});

test.each<[string, unknown, string]>([
  ["7 status 422, 4.4 request question: missing", {}, "question"],
  ["D7a: null is missing", { question: null }, "question"],
  ["4.4 request question: blank", { question: " \n " }, "question"],
  ["4.4 request limit: beyond all numbers", { question: "x", limit: 1e300 }, "limit"],
  ["9.3, D7: `source` belongs to the other endpoint", { question: "x", source: "agent" }, "source"],
])("%s", async (_, body, field) => {
  expectInvalid(await account.rest("POST", "/agent/query", { body }), field);
});

test.each(["embedder", "answerer"])("D28: a model that does not answer (%s)", async (model) => {
  const question = unique("No model");
  if (model === "embedder") spec.script.vectors.set(question, unavailable);
  else spec.script.answers.set(question, unavailable);
  const caller = await spec.service.createAccount();
  expectOk(await write(caller, { content: "Ada lives in Paris" }));
  const answer = await caller.rest("POST", "/agent/query", { body: { question } });
  expect(answer).toMatchObject({ status: 503, body: { reason: "model_unavailable" } });
  expectRetryAfter(answer);
});
