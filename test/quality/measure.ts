import { createCategoryGate } from "../../src/domain/category-gate.ts";
import type { ChatMessage } from "../../src/domain/conversation.ts";
import { parseInstant } from "../../src/domain/instant.ts";
import { MIN_CANDIDATE_SIMILARITY } from "../../src/domain/limits.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import type { Answerer } from "../../src/providers/answerer.ts";
import type { Embedder } from "../../src/providers/embedder.ts";
import type { Extractor } from "../../src/providers/extractor.ts";
import type { SupersessionClassifier } from "../../src/providers/supersession-classifier.ts";
import type { LabelledConversation } from "./conversations.ts";
import { countMatches } from "./match-facts.ts";
import type { LabelledPair } from "./pairs.ts";
import type { LabelledQuestion } from "./questions.ts";

/** The models to measure. */
export interface MeasuredProviders {
  readonly embedder: Embedder;
  readonly extractor: Extractor;
  readonly answerer: Answerer;
  readonly classifier: SupersessionClassifier;
}

export interface Rates {
  /** Of what was produced, the share that is right; 1 where nothing was. */
  readonly precision: number;
  /** Of what should be produced, the share that was. */
  readonly recall: number;
  /** One line for each mistake. */
  readonly mistakes: readonly string[];
}

export interface SupersessionRates extends Rates {
  /** Of the pairs that must both stay, the share of which one was retired. */
  readonly falseRetireRate: number;
  /** Pairs of an excluded category that would have reached the classifier. */
  readonly excludedSent: number;
}

const never = new AbortController().signal;

/** Extracted facts against the expected ones. */
export async function measureExtraction(
  { extractor }: MeasuredProviders,
  conversations: readonly LabelledConversation[],
): Promise<Rates> {
  const total = { expected: 0, produced: 0, right: 0 };
  const mistakes: string[] = [];
  for (const { at, messages, facts } of conversations) {
    const conversation = { at: parseInstant(at) ?? 0n, messages: messages.map(asMessage) };
    const extracted = (await extractor.extract(conversation, never)).facts.map(
      ({ decision }) => decision,
    );
    const right = countMatches(facts, extracted);
    total.expected += facts.length;
    total.produced += extracted.length;
    total.right += right;
    if (right < facts.length || right < extracted.length) {
      mistakes.push(
        `${messages.join(" | ")}\n    expected ${facts.join("; ")}\n    got      ${extracted.join("; ")}`,
      );
    }
  }
  return { ...ratesOf(total), mistakes };
}

/** Cited memories against those that answer the question; many of the questions have none. */
export async function measureAnswers(
  { embedder, answerer }: MeasuredProviders,
  questions: readonly LabelledQuestion[],
): Promise<Rates> {
  const total = { expected: 0, produced: 0, right: 0 };
  const mistakes: string[] = [];
  for (const { question, memories, answeredBy } of questions) {
    const similarities = await similaritiesTo(embedder, question, memories);
    const order = memories
      .map((_, i) => i)
      .sort((a, b) => (similarities[b] ?? 0) - (similarities[a] ?? 0));
    const answer = await answerer.answer(
      {
        text: question,
        now: BigInt(memories.length),
        memories: order.map((memory, i) => ({
          number: i + 1,
          decision: memories[memory] ?? "",
          topic: "General",
          source: "agent",
          validFrom: BigInt(memory),
          similarity: Math.max(0, similarities[memory] ?? 0),
        })),
      },
      never,
    );
    const cited = [...answer.matchAll(/\[mem-(\d+)\]/gu)].map(
      ([, n]) => order[Number(n) - 1] ?? -1,
    );
    const right = cited.filter((memory) => answeredBy.includes(memory)).length;
    total.expected += answeredBy.length;
    total.produced += cited.length;
    total.right += right;
    if (right < answeredBy.length || right < cited.length)
      mistakes.push(`${question}\n    got ${answer}`);
  }
  return { ...ratesOf(total), mistakes };
}

/** The way of a write with `auto_supersede` (D23): gate, candidate bar, classifier, confidence bar. */
export async function measureSupersession(
  { embedder, classifier }: MeasuredProviders,
  pairs: readonly LabelledPair[],
): Promise<SupersessionRates> {
  const gate = createCategoryGate(DEFAULT_SETTINGS.excludedCategories);
  const total = { expected: 0, produced: 0, right: 0 };
  const mistakes: string[] = [];
  let keptPairs = 0;
  let excludedSent = 0;
  for (const pair of pairs) {
    const isGated = [pair.older, pair.newer].some(
      (decision) => gate.excludedCategory({ topic: "General", decision }) !== null,
    );
    if (pair.excludedCategory !== null) {
      if (isGated) continue;
      excludedSent += 1;
      mistakes.push(`sent although excluded: ${pair.older} > ${pair.newer}`);
    }
    const retired = !isGated && (await retires(embedder, classifier, pair.older, pair.newer));
    total.expected += Number(pair.supersedes);
    total.produced += Number(retired);
    total.right += Number(retired && pair.supersedes);
    keptPairs += Number(!pair.supersedes);
    if (retired !== pair.supersedes) mistakes.push(`${pair.older} > ${pair.newer}`);
  }
  const falseRetireRate = keptPairs === 0 ? 0 : (total.produced - total.right) / keptPairs;
  return { ...ratesOf(total), mistakes, falseRetireRate, excludedSent };
}

async function retires(
  embedder: Embedder,
  classifier: SupersessionClassifier,
  older: string,
  newer: string,
): Promise<boolean> {
  const [a = [], b = []] = await embedder.embed([older, newer], "document", never);
  if (cosine(a, b) < MIN_CANDIDATE_SIMILARITY) return false;
  const fact = (decision: string, validFrom: bigint) => ({ decision, topic: "General", validFrom });
  const { supersededIndex, confidence } = await classifier.classify(
    {
      fact: fact(newer, 1n),
      candidates: [fact(older, 0n)],
      model: DEFAULT_SETTINGS.classifierModel,
    },
    never,
  );
  return supersededIndex === 0 && confidence >= DEFAULT_SETTINGS.minConfidence;
}

async function similaritiesTo(
  embedder: Embedder,
  question: string,
  memories: readonly string[],
): Promise<number[]> {
  const [asked = []] = await embedder.embed([question], "query", never);
  const stored = await embedder.embed(memories, "document", never);
  return stored.map((vector) => cosine(asked, vector));
}

/** Of two vectors of unit length. */
function cosine(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

function asMessage(line: string): ChatMessage {
  const [, role = "user", content = ""] = /^(user|assistant|system|tool): (.*)$/su.exec(line) ?? [];
  return { role: role as ChatMessage["role"], content };
}

function ratesOf({
  expected,
  produced,
  right,
}: {
  expected: number;
  produced: number;
  right: number;
}) {
  return {
    precision: produced === 0 ? 1 : right / produced,
    recall: expected === 0 ? 1 : right / expected,
  };
}
