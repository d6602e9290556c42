import type { PartialDate } from "@agent-memory/text/dates";
import { MAX_TOPIC_CHARACTERS } from "../../domain/limits.ts";
import { isObject, listIn, oneLine } from "./model-answer.ts";

/** A longer text is more than one fact. */
export const MAX_FACT_CHARACTERS = 1_000;

/** Facts that are read of one answer. */
export const MAX_STATED_FACTS = 1_000;

const DEFAULT_TOPIC = "General";
const DEFAULT_IMPORTANCE = 5;

/** A model marks a fact that a user takes back with this word (D25a). */
export const RETRACTION = "retraction";

/** A fact as a model states it: well formed, and not yet checked. */
export interface StatedFact {
  /** In one line. */
  readonly fact: string;
  /** Whether a user takes it back. */
  readonly isRetraction: boolean;
  readonly topic: string;
  readonly importanceScore: number;
  /** null: the model named no position. */
  readonly messageIndex: number | null;
  readonly quote: string;
  /** When it began and ends; null: the model named none. */
  readonly from: PartialDate | null;
  readonly until: PartialDate | null;
  /** In one line; "": the model named none. */
  readonly category: string;
}

/**
 * Reads the facts of a model's answer; of one that was cut off, the complete ones. An entry without
 * a fact, or with too long a fact, is null. An unusable topic, importance or date becomes the
 * default. null: the answer has no list of facts.
 */
export function readStatedFacts(answer: string): (StatedFact | null)[] | null {
  return listIn(answer, "facts")?.slice(0, MAX_STATED_FACTS).map(statedFact) ?? null;
}

function statedFact(entry: unknown): StatedFact | null {
  if (!isObject(entry)) return null;
  const fact = oneLine(entry.fact);
  if (fact === "" || fact.length > MAX_FACT_CHARACTERS) return null;
  const { message, importance, quote } = entry;
  return {
    fact,
    isRetraction: entry.kind === RETRACTION,
    topic: topicOf(entry.topic),
    importanceScore:
      typeof importance === "number" && Number.isFinite(importance)
        ? Math.min(10, Math.max(1, Math.round(importance)))
        : DEFAULT_IMPORTANCE,
    messageIndex: Number.isSafeInteger(message) ? Number(message) : null,
    quote: typeof quote === "string" ? quote : "",
    from: dateOf(entry.from),
    until: dateOf(entry.until),
    category: oneLine(entry.category),
  };
}

function topicOf(value: unknown): string {
  const topic = oneLine(value);
  return topic === "" || topic.length > MAX_TOPIC_CHARACTERS ? DEFAULT_TOPIC : topic;
}

const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;

function dateOf(value: unknown): PartialDate | null {
  const [, year, month, day] = DATE.exec(oneLine(value)) ?? [];
  if (year === undefined) return null;
  return {
    year: Number(year),
    ...(month !== undefined && { month: Number(month) }),
    ...(day !== undefined && { day: Number(day) }),
  };
}
