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

test("facts are those of an extraction in the process", async () => {
  for (const { messages } of conversations.slice(0, 8)) {
    const conversation = {
      at,
      categories: [],
      messages: messages.map((content) => ({ role: "user" as const, content })),
    };
    const found = await there.extractor.extract(conversation, CALL);
    expect(found).toEqual(await here.extractor.extract(conversation, CALL));
  }
  expect(there.extractor).toMatchObject({ provider: "local", model: here.extractor.model });
});

test("answers are those of the process", async () => {
  for (const { question, memories } of questions.slice(0, 8)) {
    const asked = {
      text: question,
      now: at,
      memories: memories.map((decision, index) => ({
        number: index + 1,
        decision,
        topic: "General",
        source: "chat",
        validFrom: at,
        validTo: null,
        similarity: 1 - index / 100,
      })),
    };
    const answer = await there.answerer.answer(asked, CALL);
    expect(answer).toEqual(await here.answerer.answer(asked, CALL));
  }
});

test("classifications are those of the process", async () => {
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
