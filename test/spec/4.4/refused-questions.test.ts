/** Questions that are refused, or that no model answers (D28). */
import { beforeAll, describe, expect, test } from "vitest";
import { MAX_QUERY_LIMIT } from "../../../src/domain/limits.ts";
import type { TestAccount } from "../../support/service.ts";
import { expectInvalid, expectOk, expectRetryAfter, unique, write } from "../calls.ts";
import { unavailable } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

describe("refused questions", () => {
  describe("refused", () => {
    let account: TestAccount;
    beforeAll(async () => {
      account = await spec.service.createAccount();
    });

    test.each<[string, unknown, string]>([
      ["7 status 422, 4.4 request question: missing", {}, "question"],
      ["D7a: null is missing", { question: null }, "question"],
      ["4.4 request question: empty", { question: "" }, "question"],
      ["4.4 request question: blank", { question: " \n " }, "question"],
      ["4.4 request question: a number", { question: 5 }, "question"],
      ["4.4 request question: a list", { question: ["x"] }, "question"],
      ["4.4 request limit: 0", { question: "x", limit: 0 }, "limit"],
      ["4.4 request limit: -1", { question: "x", limit: -1 }, "limit"],
      ["4.4 request limit: 101", { question: "x", limit: MAX_QUERY_LIMIT + 1 }, "limit"],
      ["4.4 request limit: a fraction", { question: "x", limit: 1.5 }, "limit"],
      ["4.4 request limit: a string", { question: "x", limit: "5" }, "limit"],
      ["4.4 request limit: beyond all numbers", { question: "x", limit: 1e300 }, "limit"],
      ["D8: an empty tenant_id", { question: "x", tenant_id: "" }, "tenant_id"],
      ["4.4 request tenant_id: a list", { question: "x", tenant_id: ["a"] }, "tenant_id"],
      ["4.4 request sources: a string", { question: "x", sources: "agent" }, "sources"],
      ["4.4 request sources: a number within", { question: "x", sources: ["a", 1] }, "sources[1]"],
      ["4.4 request sources: null within", { question: "x", sources: [null] }, "sources[0]"],
      ["4.4 request sources: empty within", { question: "x", sources: [""] }, "sources[0]"],
      [
        "9.3, D7: `source` belongs to the other endpoint",
        { question: "x", source: "agent" },
        "source",
      ],
      ["D7: an unknown field", { question: "x", asOf: "2024-01-01T00:00:00Z" }, "asOf"],
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
  });
});
