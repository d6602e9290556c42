/** The response of a query, its citations and its markers (D12). */
import { describe, expect, test } from "vitest";
import { ask, idsOf, memoryOf, pluck, remember, unique } from "../calls.ts";
import { vector } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

describe("the response", () => {
  test("D12, D12d, D2, 2.5 memory_id, 2.5 decision, 2.5 topic, 2.5 similarity, 2.5 cited_by_llm, 2.5 valid_from, 2.5 is_superseded, 2.5 tenant_id, 2.5 source, 2.5 index, 2.5 content, 4.4 response company_id, 4.4 response question: exactly these fields; memories carry their similarity and whether they were cited", async () => {
    const account = await spec.service.createAccount();
    const question = unique("Where does Ada live?");
    spec.script.answers.set(question, () => "She lives in Paris. [mem-1]");
    const tenant = { tenant_id: "acme" };
    const labels = { ...tenant, topic: "Home", source: "crm" };
    const id = await remember(account, "Ada lives in Paris", labels);
    const other = await remember(account, "The sky is blue", tenant);
    const { valid_from } = await memoryOf(account, id);
    expect(await ask(account, question, tenant)).toEqual({
      question,
      answer: "She lives in Paris.",
      answer_with_citations: "She lives in Paris. [mem-1]",
      citations: [
        {
          memory_id: id,
          decision: "Ada lives in Paris",
          topic: "Home",
          similarity: expect.any(Number),
          cited_by_llm: true,
          valid_from,
          is_superseded: false,
          tenant_id: "acme",
          source: "crm",
          index: 1,
          content: "Ada lives in Paris",
          span: { start: 0, end: 18 },
          answer_offsets: [20],
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
      approximate: false,
      company_id: account.companyId,
      grounded: true,
      answer_kind: "stated",
      usage: expect.objectContaining({ calls: 1 }),
    });
  });
});

describe("answers and citations", () => {
  /** Three memories, most similar first, and a question that they fit so. */
  async function threeMemories(said: string) {
    const account = await spec.service.createAccount();
    const question = unique("What is it?");
    const contents = [unique("First"), unique("Second"), unique("Third")];
    spec.script.vectors.set(question, () => vector(1));
    spec.script.vectors.set(contents[0] ?? "", () => vector(1));
    spec.script.vectors.set(contents[1] ?? "", () => vector(0.6, 0.8));
    spec.script.vectors.set(contents[2] ?? "", () => vector(-1));
    spec.script.answers.set(question, () => said);
    // Stored in another order than that of similarity.
    const ids: string[] = [];
    for (const i of [2, 0, 1]) ids[i] = await remember(account, contents[i]);
    return { account, ids, answer: await ask(account, question) };
  }

  test.each([
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

  test("D12c, D12d: with local models the later of two values is the present, the other is said to be earlier", async () => {
    const account = await spec.service.createAccount();
    const since = "2025-03-04T00:00:00Z";
    const berlin = await remember(account, "Alice lives in Berlin", { valid_from: since });
    const munich = await remember(account, "Alice lives in Munich");
    const text =
      "Alice lives in Munich. [mem-1] Earlier, since 4 March 2025: Alice lives in Berlin. [mem-2]";
    const told = {
      answer: text.replaceAll(/ \[mem-\d\]/gu, ""),
      answer_with_citations: text,
      citations: [munich, berlin].map((id, i) =>
        expect.objectContaining({
          memory_id: id,
          index: i + 1,
          is_superseded: false,
          answer_offsets: [text.indexOf(`[mem-${i + 1}]`)],
        }),
      ),
      grounded: true,
      answer_kind: "stated",
    };
    const question = "Where does Alice live?";
    expect(await ask(account, question)).toMatchObject(told);
    const headers = { accept: "text/event-stream" };
    const streamed = await account.rest("POST", "/agent/query", { body: { question }, headers });
    expect(streamed.body.at(-1)).toMatchObject({ event: "answer", data: told });
    expect(streamed.body.at(1)).toEqual({ event: "text", data: { text } });
    expect(await ask(account, question, { as_of: "2025-06-01T00:00:00Z" })).toMatchObject({
      answer_with_citations: "Alice lives in Berlin. [mem-1]",
      answer_kind: "stated",
    });
  });

  test.each([
    ["What is Alice's blood type?", "none", true, []],
    ["What does Alice's sister do?", "closest", false, [expect.anything()]],
  ])(
    "D12b: with local models what no memory states is not stated: %s",
    async (question, answer_kind, grounded, citations) => {
      const account = await spec.service.createAccount();
      await remember(account, "Alice's sister lives in Oslo");
      await remember(account, "Bob likes tea");
      expect(await ask(account, question)).toMatchObject({ answer_kind, grounded, citations });
    },
  );
});
