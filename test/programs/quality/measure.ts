import { looksBack } from "@agent-memory/text";
import { endsOf } from "../../../src/domain/attribute.ts";
import { candidateBar } from "../../../src/domain/auto-supersession.ts";
import { cosine } from "../../../src/domain/embedding.ts";
import { parseInstant } from "../../../src/domain/instant.ts";
import type { ChatMessage } from "../../../src/domain/memory-write.ts";
import { DEFAULT_SETTINGS } from "../../../src/domain/settings.ts";
import type { Answerer } from "../../../src/providers/answerer.ts";
import type { Embedder } from "../../../src/providers/embedder.ts";
import type { Extractor } from "../../../src/providers/extractor.ts";
import type { SupersessionClassifier } from "../../../src/providers/supersession-classifier.ts";
import { CALL } from "../../support/model-call.ts";
import type { LabelledConversation, MixedConversation } from "./conversations.ts";
import { countMatches } from "./match-facts.ts";
import { findHeldBack } from "./measure-gate.ts";
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
  readonly counts: Counts;
  /** One line for each mistake. */
  readonly mistakes: readonly string[];
}

/** What the shares are of. */
export interface Counts {
  readonly expected: number;
  readonly produced: number;
  /** What was produced and expected. */
  readonly right: number;
}

export interface SupersessionRates extends Rates {
  /** Of the pairs that must both stay, the share of which one was retired. */
  readonly falseRetireRate: number;
  readonly keptPairs: number;
  readonly excludedPairs: number;
  /** Pairs of an excluded category that would have reached the classifier. */
  readonly excludedSent: number;
}

/** Extracted facts against the expected ones. */
export async function measureExtraction(
  { extractor }: MeasuredProviders,
  conversations: readonly LabelledConversation[],
): Promise<Rates> {
  const total = { expected: 0, produced: 0, right: 0 };
  const mistakes: string[] = [];
  for (const { at, messages, facts } of conversations) {
    const conversation = {
      at: parseInstant(at) ?? 0n,
      messages: messages.map(asMessage),
      categories: [],
    };
    const extracted = (await extractor.extract(conversation, CALL)).facts.map(
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

/** Of conversations that are not all the user's own: the messages named as not read, against those to be named. */
export async function measureReported(
  { extractor }: MeasuredProviders,
  conversations: readonly MixedConversation[],
): Promise<Rates> {
  const total = { expected: 0, produced: 0, right: 0 };
  const mistakes: string[] = [];
  for (const { at, messages, reported } of conversations) {
    const conversation = {
      at: parseInstant(at) ?? 0n,
      messages: messages.map(asMessage),
      categories: [],
    };
    const { rejected } = await extractor.extract(conversation, CALL);
    const named = [...new Set(rejected.map(({ messageIndex }) => messageIndex ?? -1))];
    const right = named.filter((index) => reported.includes(index)).length;
    total.expected += reported.length;
    total.produced += named.length;
    total.right += right;
    if (right < reported.length || right < named.length)
      mistakes.push(`${messages.join(" | ")}\n    expected ${reported}\n    named    ${named}`);
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
        ...(looksBack(question) && { past: "ever" }),
        memories: order.map((memory, i) => ({
          number: i + 1,
          decision: memories[memory] ?? "",
          topic: "General",
          source: "agent",
          validFrom: BigInt(memory),
          validTo: null,
          similarity: Math.max(0, similarities[memory] ?? 0),
          relevance: 0,
        })),
      },
      CALL,
    );
    const cited = answer.cited.map((number) => order[number - 1] ?? -1);
    const right = cited.filter((memory) => answeredBy.includes(memory)).length;
    total.expected += answeredBy.length;
    total.produced += cited.length;
    total.right += right;
    if (right < answeredBy.length || right < cited.length)
      mistakes.push(`${question}\n    got ${answer.answerWithCitations}`);
  }
  return { ...ratesOf(total), mistakes };
}

/** The way of a write with `auto_supersede` (D23): gate, candidate bar, classifier, confidence bar. */
export async function measureSupersession(
  { embedder, classifier }: MeasuredProviders,
  pairs: readonly LabelledPair[],
): Promise<SupersessionRates> {
  const heldBack = await findHeldBack(
    embedder,
    pairs.flatMap(({ older, newer }) => [{ text: older }, { text: newer }]),
  );
  const total = { expected: 0, produced: 0, right: 0 };
  const mistakes: string[] = [];
  let keptPairs = 0;
  let excludedPairs = 0;
  let excludedSent = 0;
  for (const [index, pair] of pairs.entries()) {
    const isGated = heldBack[2 * index] === true || heldBack[2 * index + 1] === true;
    if (pair.excludedCategory !== null) {
      excludedPairs += 1;
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
  return { ...ratesOf(total), mistakes, falseRetireRate, keptPairs, excludedPairs, excludedSent };
}

async function retires(
  embedder: Embedder,
  classifier: SupersessionClassifier,
  older: string,
  newer: string,
): Promise<boolean> {
  const [a = [], b = []] = await embedder.embed([older, newer], "document", CALL);
  if (cosine(a, b) < candidateBar(embedder.space) || !endsOf(newer)(older)) return false;
  const fact = (decision: string, statedAt: bigint) => ({ decision, topic: "General", statedAt });
  const { superseded } = await classifier.classify(
    {
      fact: fact(newer, 1n),
      candidates: [fact(older, 0n)],
      isRetraction: false,
      model: DEFAULT_SETTINGS.classifierModel,
    },
    CALL,
  );
  return superseded.some(({ confidence }) => confidence >= DEFAULT_SETTINGS.minConfidence);
}

async function similaritiesTo(
  embedder: Embedder,
  question: string,
  memories: readonly string[],
): Promise<number[]> {
  const [asked = []] = await embedder.embed([question], "query", CALL);
  const stored = await embedder.embed(memories, "document", CALL);
  return stored.map((vector) => cosine(asked, vector));
}

export function asMessage(line: string): ChatMessage {
  const [, role = "user", name, content = ""] =
    /^(user|assistant|system|tool)(?: \[(.+?)\])?: (.*)$/su.exec(line) ?? [];
  return { role: role as ChatMessage["role"], ...(name === undefined ? {} : { name }), content };
}

export function ratesOf(counts: Counts): Omit<Rates, "mistakes"> {
  const { expected, produced, right } = counts;
  return {
    precision: produced === 0 ? 1 : right / produced,
    recall: expected === 0 ? 1 : right / expected,
    counts,
  };
}
