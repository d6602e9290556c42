/** Which models serve for a choice of the operator's; chat and embeddings apart. */
import { afterEach, expect, test } from "vitest";
import type { ModelChoice } from "../../src/providers/index.ts";
import { createModels } from "../../src/providers/index.ts";
import { ModelThreads } from "../../src/providers/threads/model-threads.ts";
import { startFakeGemini } from "../support/fake-gemini.ts";
import { startFakeOpenAi } from "../support/fake-openai.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { CALL } from "../support/model-call.ts";
import { LOCAL_MODELS } from "../support/service.ts";

const FACT = { decision: "Alice lives in Oslo", topic: "General", validFrom: 0n, statedAt: 0n };

const gemini = await forThisFile(startFakeGemini());
const openai = await forThisFile(startFakeOpenAi());
afterEach(() => {
  gemini.reset();
  openai.reset();
});

function modelsOf(change: Partial<ModelChoice>, threads?: ModelThreads) {
  const choice: ModelChoice = {
    ...LOCAL_MODELS,
    // A slash at the end of an address is not doubled.
    gemini: { apiKey: "g", baseUrl: `${gemini.origin}/` },
    openai: { apiKey: null, baseUrl: `${openai.origin}/v1/` },
    ...change,
  };
  return createModels(choice, {
    monotonicMs: () => performance.now(),
    ...(threads && { threads }),
  });
}

/** Threads that note what they are asked to do. */
async function tasksOf(work: (threads: ModelThreads) => Promise<unknown>): Promise<string[]> {
  const threads = new ModelThreads({ log: { warn: () => {} } });
  const tasks: string[] = [];
  const { run } = threads;
  threads.run = (name, ...rest) => {
    tasks.push(name);
    return run.call(threads, name, ...rest) as never;
  };
  await work(threads).finally(() => threads.close());
  return tasks;
}

/** Asks, whatever a fake that gives no verdict makes of it. */
async function classify(change: Partial<ModelChoice>): Promise<void> {
  const input = { fact: FACT, candidates: [FACT], isRetraction: false, model: "gemini-2.5-pro" };
  await modelsOf(change)
    .classifier.classify(input, CALL)
    .catch(() => {});
}

test("what reads texts in the process does so in threads, but for vectors of short texts", async () => {
  const messages = [{ role: "user", content: "I live in Oslo." }] as const;
  const memories = [
    { number: 1, source: "agent", validTo: null, similarity: 1, relevance: 0, ...FACT },
  ];
  const local = await tasksOf(async (threads) => {
    const { embedder, extractor, answerer, classifier } = modelsOf({}, threads);
    await embedder.embed(["Alice lives in Oslo"], "document", CALL);
    await embedder.embed(["Alice lives in Oslo. ".repeat(1_000)], "document", CALL);
    await extractor.extract({ messages, at: 0n, categories: [] }, CALL);
    await answerer.answer({ text: "Where?", memories, now: 0n }, CALL);
    await classifier.classify(
      { fact: FACT, candidates: [FACT], isRetraction: false, model: "any" },
      CALL,
    );
  });
  expect(local).toEqual(["embed", "extract", "answer", "classify"]);
});

test("vectors of one vendor, answers of another, and a third to move to", async () => {
  const models = modelsOf({
    chat: { provider: "openai", model: "llama3.1" },
    embeddings: { provider: "gemini", model: "gemini-embedding-001", dimensions: 256 },
    nextEmbeddings: { provider: "local" },
  });
  expect(models.embedder.space).toEqual({
    provider: "gemini",
    model: "gemini-embedding-001",
    dimensions: 256,
  });
  expect(models.nextEmbedder?.space.provider).toBe("local");
  expect([models.extractor.provider, models.extractor.model]).toEqual(["openai", "llama3.1"]);
  await models.embedder.embed(["Alice lives in Oslo"], "query", CALL);
  expect(gemini.requests).toHaveLength(1);
  expect(openai.requests).toHaveLength(0);
});

test("D26: the setting classifier_model names the model where Gemini classifies", async () => {
  await classify({ chat: { provider: "gemini", model: "gemini-2.5-flash" } });
  expect(gemini.requests[0]?.path).toContain("/gemini-2.5-pro:");
});

test("D26: and says nothing where another vendor does", async () => {
  await classify({ chat: { provider: "openai", model: "llama3.1" } });
  expect(openai.requests[0]?.body.model).toBe("llama3.1");
});

test("chat and embeddings of one provider have one upstream: it is rested for both", async () => {
  const { embedder, answerer } = modelsOf({
    chat: { provider: "openai", model: "llama3.1" },
    embeddings: { provider: "openai", model: "bge-m3", dimensions: 768 },
  });
  const question = {
    text: "Where?",
    memories: [{ number: 1, source: "agent", validTo: null, similarity: 1, relevance: 0, ...FACT }],
    now: 0n,
  };
  openai.always("failing");
  await expect(embedder.embed(["a"], "query", CALL)).rejects.toThrow("HTTP status 500");
  await expect(answerer.answer(question, CALL)).rejects.toThrow("HTTP status 500");
  openai.reset();
  await expect(answerer.answer(question, CALL)).rejects.toThrow("a rest");
  expect(openai.requests).toHaveLength(0);
});
