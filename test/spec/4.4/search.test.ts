/** Retrieval without an answer (D39), and questions that are refused or not answered (D28). */
import { beforeAll, expect, test } from "vitest";
import type { TestAccount } from "../../support/service.ts";
import {
  ask,
  expectInvalid,
  expectOk,
  expectRetryAfter,
  idsOf,
  remember,
  unique,
  write,
} from "../calls.ts";
import { unavailable } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

async function threeMemories() {
  const account = await spec.service.createAccount();
  const ids = [
    await remember(account, "Ada lives in Paris"),
    await remember(account, "Ada likes tea", { source: "crm" }),
    await remember(account, "The deploy is on Thursday", { tenant_id: "t" }),
  ];
  const search = (body: object) => account.rest("POST", "/agent/search", { body });
  return { account, ids, search };
}

test("D39: the memories of a query, and no model is asked for an answer", async () => {
  const { account, search } = await threeMemories();
  const question = unique("Where does Ada live?");
  spec.script.answers.set(question, () => {
    throw new Error("a model was asked");
  });
  const answer = await search({ question });
  expectOk(answer);
  spec.script.answers.set(question, () => "NO_ANSWER");
  const { memories } = await ask(account, question);
  expect(answer.body).toEqual({
    question,
    memories,
    company_id: account.companyId,
    approximate: false,
    usage: null,
  });
  expect(memories).toHaveLength(2);
});

test("D47: several tenants are ranked together, and each memory says whose it is", async () => {
  const { account, ids, search } = await threeMemories();
  const ada = await remember(account, "Ada lives in Oslo", { tenant_id: "u" });
  const question = unique("Where does Ada live?");
  const tenants = { tenant_ids: ["t", "u", "t", "nobody"] };
  const { memories } = (await search({ question, ...tenants })).body;
  expect(idsOf(memories)).toEqual([ada, ids[2]]);
  expect(memories.map(({ tenant_id }: { tenant_id: string }) => tenant_id)).toEqual(["u", "t"]);
  const [best, next] = memories.map(({ relevance }: { relevance: number }) => relevance);
  expect(best).toBeGreaterThan(next);
  spec.script.answers.set(question, () => "Ada lives in Oslo [mem-1].");
  const { citations } = await ask(account, question, tenants);
  expect(citations).toMatchObject([{ memory_id: ada, tenant_id: "u" }]);
  const filtered = await search({ question, ...tenants, topic: "General", limit: 1 });
  expect(idsOf(filtered.body.memories)).toEqual([ada]);
  const alone = await search({ question, tenant_ids: ["t"] });
  expect(alone.body).toEqual((await search({ question, tenant_id: "t" })).body);
});

test("D47: several tenants beside one are refused, of a search and of a query", async () => {
  const { account, search } = await threeMemories();
  const body = { question: "Where does Ada live?", tenant_ids: ["a"], tenant_id: "b" };
  expectInvalid(await search(body), "tenant_ids");
  expectInvalid(await account.rest("POST", "/agent/query", { body }), "tenant_ids");
});

test("D39: min_relevance leaves out what is less relevant, of a search and of a query", async () => {
  const { account, ids, search } = await threeMemories();
  const question = "Where does Ada live?";
  const { memories } = (await search({ question })).body;
  const [best, next] = memories.map(({ relevance }: { relevance: number }) => relevance);
  expect(best).toBeGreaterThan(next);
  for (const [min_relevance, expected] of [
    [0, ids.slice(0, 2)],
    [next, ids.slice(0, 2)],
    [(best + next) / 2, ids.slice(0, 1)],
    [1, best === 1 ? ids.slice(0, 1) : []],
  ] as const) {
    const found = await search({ question, min_relevance });
    expect(idsOf(found.body.memories)).toEqual(expected);
    const answer = await ask(account, question, { min_relevance });
    expect(idsOf(answer.memories)).toEqual(expected);
  }
  const nothing = await ask(account, "What is the wifi password?", { min_relevance: 1 });
  expect(nothing).toMatchObject({
    answer: "No memories found for this company yet.",
    memories_searched: 0,
    grounded: true,
  });
});

let account: TestAccount;
beforeAll(async () => {
  account = await spec.service.createAccount();
});

test.each<[string, unknown, string]>([
  ["7 status 422, 4.4 request question: missing", {}, "question"],
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
