import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MINUTE } from "../../src/domain/instant.ts";
import { DEFAULT_QUERY_LIMIT, MAX_QUERY_LIMIT } from "../../src/domain/limits.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";
import {
  ask,
  expectInvalid,
  expectOk,
  expectRetryAfter,
  idsOf,
  iso,
  listIds,
  pluck,
  remember,
  rememberMany,
  supersede,
  unique,
  write,
} from "./calls.ts";
import { scriptModels, unavailable, vector } from "./scripted-models.ts";

const NOTHING_FOUND = "No memories found for this company yet.";

const script = scriptModels();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ models: script.models });
});
afterAll(() => service.close());

describe("the response", () => {
  test("D12, D2: exactly these fields; memories carry their similarity and whether they were cited", async () => {
    const account = await service.createAccount();
    const question = unique("Where does Ada live?");
    script.answers.set(question, () => "She lives in Paris. [mem-1]");
    const id = await remember(account, "Ada lives in Paris");
    const other = await remember(account, "The sky is blue");
    const answer = await ask(account, question);
    expect(answer).toEqual({
      question,
      answer: "She lives in Paris.",
      answer_with_citations: "She lives in Paris. [mem-1]",
      citations: [
        {
          memory_id: id,
          decision: "Ada lives in Paris",
          topic: "General",
          similarity: expect.any(Number),
          cited_by_llm: true,
          valid_from: expect.any(String),
          is_superseded: false,
          tenant_id: null,
          source: "agent",
          index: 1,
          content: "Ada lives in Paris",
        },
      ],
      memories: [
        expect.objectContaining({ id, similarity: expect.any(Number), cited_by_llm: true }),
        expect.objectContaining({
          id: other,
          similarity: expect.any(Number),
          cited_by_llm: false,
        }),
      ],
      memories_searched: 2,
      company_id: account.companyId,
    });
  });

  test("D12: entries of `memories` are memory objects with two fields more", async () => {
    const account = await service.createAccount();
    await remember(account, "Ada lives in Paris");
    const { memories } = await account
      .rest("GET", "/agent/memories")
      .then(({ body }) => body as { memories: object[] });
    const [found] = (await ask(account, "Where does Ada live?")).memories;
    const { similarity, cited_by_llm, ...memory } = found;
    expect([typeof similarity, typeof cited_by_llm]).toEqual(["number", "boolean"]);
    expect(memory).toEqual(memories[0]);
  });

  test.each([
    ["4.4 response question: the question as asked", "question"],
    ["4.4 response question, D10: with its white space", "  question\n "],
  ])("%s", async (_, question) => {
    expect((await ask(await service.createAccount(), question)).question).toBe(question);
  });
});

describe("answers and citations", () => {
  /** Three memories, most similar first, and a question that they fit so. */
  async function threeMemories(said: string) {
    const account = await service.createAccount();
    const question = unique("What is it?");
    const contents = [unique("First"), unique("Second"), unique("Third")];
    script.vectors.set(question, () => vector(1));
    script.vectors.set(contents[0] ?? "", () => vector(1));
    script.vectors.set(contents[1] ?? "", () => vector(0.6, 0.8));
    script.vectors.set(contents[2] ?? "", () => vector(-1));
    script.answers.set(question, () => said);
    // Stored in another order than that of similarity.
    const ids: string[] = [];
    for (const i of [2, 0, 1]) ids[i] = await remember(account, contents[i]);
    return { account, ids, answer: await ask(account, question) };
  }

  test.each([
    [
      "D12: markers count citations from 1 in order of first mention",
      "A [mem-3], B [mem-1].",
      "A, B.",
      "A [mem-1], B [mem-2].",
      [2, 0],
    ],
    [
      "D12: a memory that is mentioned twice is one citation",
      "A [mem-2]. B [mem-2]. C [mem-1].",
      "A. B. C.",
      "A [mem-1]. B [mem-1]. C [mem-2].",
      [1, 0],
    ],
    [
      "D12: a marker that names no retrieved memory is removed",
      "A [mem-4]. B [mem-0]. C [mem-99] D [mem-1].",
      "A. B. C D.",
      "A. B. C D [mem-1].",
      [0],
    ],
    [
      "D12: an answer without markers cites nothing",
      "Nothing fits.",
      "Nothing fits.",
      "Nothing fits.",
      [],
    ],
    [
      "4.4 response citations: only memories that the model cited",
      "B [mem-2].",
      "B.",
      "B [mem-1].",
      [1],
    ],
    [
      "4.4 response answer, 4.4 response answer_with_citations: the same text without and with markers",
      "Only [mem-1] this.",
      "Only this.",
      "Only [mem-1] this.",
      [0],
    ],
  ])("%s", async (_, said, plain, marked, cited) => {
    const { ids, answer } = await threeMemories(said);
    expect(answer.answer).toBe(plain);
    expect(answer.answer_with_citations).toBe(marked);
    expect(answer.citations).toEqual(
      cited.map((each, i) =>
        expect.objectContaining({ memory_id: ids[each], index: i + 1, cited_by_llm: true }),
      ),
    );
    expect(answer.memories_searched).toBe(3);
  });

  test("4.4 rule 1, 4.4 response memories, 4.4 response memories_searched: all retrieved, cited or not, most similar first", async () => {
    const { ids, answer } = await threeMemories("B [mem-2].");
    expect(idsOf(answer.memories)).toEqual(ids);
    expect(pluck("cited_by_llm", answer.memories)).toEqual([false, true, false]);
    expect(answer.memories_searched).toBe(3);
    expect(answer.memories_searched).toBeGreaterThanOrEqual(answer.citations.length);
  });

  test("D12: similarity is the cosine, clipped to 0 and 1", async () => {
    const { answer } = await threeMemories("A [mem-1] B [mem-2] C [mem-3]");
    const similarities = pluck("similarity", answer.memories);
    expect(similarities).toEqual([1, expect.closeTo(0.6, 6), 0]);
    expect(pluck("similarity", answer.citations)).toEqual(similarities);
  });

  test("4.4 response company_id: the owner", async () => {
    const { account, answer } = await threeMemories("x");
    expect(answer.company_id).toBe(account.companyId);
  });
});

describe("retrieval", () => {
  test("8 limit query limit, 4.4 request limit, 4.4 rule 1: the top `limit` by similarity, 10 by default", async () => {
    const account = await service.createAccount();
    const question = unique("Which?");
    const opening = unique("Many");
    const facts = Array.from({ length: 12 }, (_, i) => unique(`Fact ${i}`));
    script.vectors.set(question, () => vector(1));
    facts.forEach((fact, i) => {
      const cosine = 1 - i / 20;
      script.vectors.set(fact, () => vector(cosine, Math.sqrt(1 - cosine * cosine)));
    });
    const shuffled = [...facts].reverse();
    script.extractions.set(opening, () => shuffled.map((decision) => ({ decision })));
    await write(account, { messages: [{ role: "user", content: opening }] });

    const top = async (limit?: number) =>
      pluck("decision", (await ask(account, question, { limit })).memories);
    expect(DEFAULT_QUERY_LIMIT).toBe(10);
    expect(await top()).toEqual(facts.slice(0, 10));
    expect(await top(1)).toEqual(facts.slice(0, 1));
    expect(await top(11)).toEqual(facts.slice(0, 11));
    expect(await top(MAX_QUERY_LIMIT)).toEqual(facts);
  });

  test("4.4 rule 2: only current memories are retrieved", async () => {
    const account = await service.createAccount();
    const [replaced = "", ended = "", current = ""] = await rememberMany(account, 3);
    await remember(account, "Fact number 9", {
      valid_from: "2020-01-01T00:00:00Z",
      valid_to: "2020-01-02T00:00:00Z",
    });
    const withEnd = await remember(account, "Fact number 8", {
      valid_to: iso(service.clock.now() + MINUTE),
    });
    await supersede(account, replaced, { superseded_by: current });
    await supersede(account, ended, { valid_to: iso(service.clock.now() + MINUTE) });
    const { memories } = await ask(account, "Which fact?");
    expect(idsOf(memories).toSorted()).toEqual([current, withEnd].toSorted());
  });

  test("4.4 request tenant_id, 1.5: one tenant only, and never another account", async () => {
    const [account, other] = [await service.createAccount(), await service.createAccount()];
    const ofNone = await remember(account);
    const ofAcme = await remember(account, "Ada lives in Paris", { tenant_id: "acme" });
    await remember(other);
    await remember(other, "Ada lives in Paris", { tenant_id: "acme" });
    const found = async (more: object) =>
      idsOf((await ask(account, "Where?", { ...more })).memories);
    expect(await found({})).toEqual([ofNone]);
    expect(await found({ tenant_id: null })).toEqual([ofNone]);
    expect(await found({ tenant_id: "acme" })).toEqual([ofAcme]);
    expect(await found({ tenant_id: "Acme" })).toEqual([]);
  });

  test("4.4 rule 3, 4.4 request sources: applied before the search, whatever is more similar", async () => {
    const account = await service.createAccount();
    const question = unique("What?");
    script.vectors.set(question, () => vector(1));
    const far = unique("Far");
    script.vectors.set(far, () => vector(0, 1));
    for (let i = 0; i < 12; i++) {
      const near = unique("Near");
      script.vectors.set(near, () => vector(1));
      await remember(account, near, { source: "crm" });
    }
    const ofAgent = await remember(account, far);
    const ofEmail = await remember(account, far, { source: "email" });
    const found = async (sources: unknown) =>
      idsOf((await ask(account, question, { sources })).memories);
    expect(await found(["agent"])).toEqual([ofAgent]);
    expect((await found(["agent", "email"])).toSorted()).toEqual([ofAgent, ofEmail].toSorted());
    expect(await found(["agent", "agent", "nobody"])).toEqual([ofAgent]);
    expect(await found(["nobody"])).toEqual([]);
    expect(await found(["AGENT"])).toEqual([]);
    expect(await found(["crm"])).toHaveLength(10);
    expect(await found(null)).toHaveLength(10);
  });

  test.each([
    ["4.4 rule 4: no memories at all", {}],
    ["4.4 rule 4: a filter that excludes everything", { sources: ["nobody"] }],
    ["4.4 rule 4: a tenant without memories", { tenant_id: "nobody" }],
  ])("%s", async (name, more) => {
    const account = await service.createAccount();
    if (!name.endsWith("at all")) await remember(account);
    const question = unique("Is anything there?");
    script.answers.set(question, () => "An invented answer");
    const answer = await ask(account, question, more);
    expect(answer).toEqual({
      question,
      answer: NOTHING_FOUND,
      answer_with_citations: NOTHING_FOUND,
      citations: [],
      memories: [],
      memories_searched: 0,
      company_id: account.companyId,
    });
    expect(script.shown.filter((text) => text === question)).toHaveLength(1);
  });

  test("4.4 rule 5: past states are read through the timeline or the list with `as_of`", async () => {
    const account = await service.createAccount();
    const old = await remember(account, "Ada lives in Rome", {
      valid_from: "2020-01-01T00:00:00Z",
    });
    const now = await remember(account, "Ada lives in Paris", {
      valid_from: "2024-01-01T00:00:00Z",
    });
    await supersede(account, old, { superseded_by: now });
    expect(idsOf((await ask(account, "Where does Ada live?")).memories)).toEqual([now]);
    expect(await listIds(account, { as_of: "2022-01-01T00:00:00Z" })).toEqual([old]);
    const { body } = await account.rest("GET", `/memories/${now}/timeline`);
    expect(idsOf(body.timeline)).toEqual([old, now]);
  });

  test("1.3: a question is answered from the memories that fit it", async () => {
    const account = await service.createAccount();
    const id = await remember(account, "Ada lives in Paris");
    await remember(account, "The deadline of the project is in May");
    const answer = await ask(account, "Where does Ada live?");
    expect(answer.answer).toContain("Paris");
    expect(pluck("memory_id", answer.citations)).toEqual([id]);
    expect(answer.memories).toHaveLength(2);
  });
});

describe("refused", () => {
  let account: TestAccount;
  beforeAll(async () => {
    account = await service.createAccount();
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
    ["D7: an unknown field", { question: "x", as_of: "2024-01-01T00:00:00Z" }, "as_of"],
  ])("%s", async (_, body, field) => {
    expectInvalid(await account.rest("POST", "/agent/query", { body }), field);
  });

  test.each(["embedder", "answerer"])("D28: a model that does not answer (%s)", async (model) => {
    const question = unique("No model");
    if (model === "embedder") script.vectors.set(question, unavailable);
    else script.answers.set(question, unavailable);
    const caller = await service.createAccount();
    expectOk(await write(caller, { content: "Ada lives in Paris" }));
    const answer = await caller.rest("POST", "/agent/query", { body: { question } });
    expect(answer).toMatchObject({ status: 503, body: { reason: "model_unavailable" } });
    expectRetryAfter(answer);
  });
});
