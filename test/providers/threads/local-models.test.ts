import { createLocalProviders } from "@agent-memory/offline-models";
import { afterAll, expect, test } from "vitest";
import { parseInstant } from "../../../src/domain/instant.ts";
import { localModelsIn } from "../../../src/providers/threads/local-models.ts";
import { ModelThreads } from "../../../src/providers/threads/model-threads.ts";
import { PARTS } from "../../programs/quality/parts.ts";
import { CALL } from "../../support/model-call.ts";

const threads = new ModelThreads({ log: { warn: () => {} } });
afterAll(() => threads.close());
const here = createLocalProviders();
const there = localModelsIn(threads);
const { conversations, questions, pairs } = PARTS.plain;
const at = parseInstant("2026-05-06T10:00:00Z") ?? 0n;

test("facts, answers and classifications are those of the process", async () => {
  for (const { messages } of conversations.slice(0, 8)) {
    const said = messages.map((content) => ({ role: "user" as const, content }));
    const conversation = { at, categories: [], messages: said };
    const found = await there.extractor.extract(conversation, CALL);
    expect(found).toEqual(await here.extractor.extract(conversation, CALL));
  }
  for (const { question, memories } of questions.slice(0, 8)) {
    const offered = memories.map((decision, index) => {
      const number = index + 1;
      const fact = { decision, topic: "General", source: "chat", validFrom: at, validTo: null };
      return { ...fact, number, similarity: 1 - index / 100 };
    });
    const asked = { text: question, now: at, memories: offered };
    expect(await there.answerer.answer(asked, CALL)).toEqual(
      await here.answerer.answer(asked, CALL),
    );
  }
  for (const { older, newer } of pairs.slice(0, 8)) {
    const fact = (decision: string) => ({ decision, topic: "General", statedAt: at });
    const candidates = [fact(older)];
    const input = { fact: fact(newer), isRetraction: false, candidates, model: "any" };
    const said = await there.classifier.classify(input, CALL);
    expect(said).toEqual(await here.classifier.classify(input, CALL));
  }
});

test.each([1, 100])("vectors of %i texts are those of the process", async (count) => {
  const texts = Array.from({ length: count }, (_, i) => `Person ${i} works on project ${i}`);
  expect(await there.embedder.embed(texts, "document", CALL)).toEqual(
    await here.embedder.embed(texts, "document", CALL),
  );
});
