import { MAX_TOPIC_CHARACTERS } from "../../domain/limits.ts";
import { isObject, oneLine, parseObject } from "./model-answer.ts";

/** Longer ones are no single fact. */
export const MAX_FACT_CHARACTERS = 1_000;

const DEFAULT_TOPIC = "General";
const DEFAULT_IMPORTANCE = 5;

/** A fact as a model states it: of the right shape, and not yet believed. */
export interface StatedFact {
  /** In one line. */
  readonly fact: string;
  readonly topic: string;
  readonly importanceScore: number;
  /** null: the model named no position. */
  readonly messageIndex: number | null;
  readonly quote: string;
}

/**
 * Reads the facts of a model's answer. An entry without a fact, or with one that
 * is too long, is null; a topic or an importance that can't be used becomes the
 * ordinary one. null: the answer has no list of facts.
 */
export function readStatedFacts(answer: string): (StatedFact | null)[] | null {
  const facts = parseObject(answer)?.facts;
  return Array.isArray(facts) ? facts.map(statedFact) : null;
}

function statedFact(entry: unknown): StatedFact | null {
  if (!isObject(entry)) return null;
  const fact = oneLine(entry.fact);
  if (fact === "" || fact.length > MAX_FACT_CHARACTERS) return null;
  const { message, importance, quote } = entry;
  return {
    fact,
    topic: topicOf(entry.topic),
    importanceScore:
      typeof importance === "number" && Number.isFinite(importance)
        ? Math.min(10, Math.max(1, Math.round(importance)))
        : DEFAULT_IMPORTANCE,
    messageIndex: Number.isSafeInteger(message) ? Number(message) : null,
    quote: typeof quote === "string" ? quote : "",
  };
}

function topicOf(value: unknown): string {
  const topic = oneLine(value);
  return topic === "" || topic.length > MAX_TOPIC_CHARACTERS ? DEFAULT_TOPIC : topic;
}
