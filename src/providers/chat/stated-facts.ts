import type { PartialDate } from "@agent-memory/text/dates";
import * as z from "zod";
import { MAX_TOPIC_CHARACTERS } from "../../domain/limits.ts";
import { listIn, oneLine } from "./model-answer.ts";

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

const LINE = z.string().catch("").transform(oneLine);
const STATED = z.object({
  fact: LINE.pipe(z.string().min(1).max(MAX_FACT_CHARACTERS)),
  kind: z.unknown().optional(),
  topic: LINE.pipe(z.string().min(1).max(MAX_TOPIC_CHARACTERS)).catch(DEFAULT_TOPIC),
  importance: z.number().catch(DEFAULT_IMPORTANCE),
  message: z.int().nullable().catch(null),
  quote: z.string().catch(""),
  from: LINE.transform(dateOf),
  until: LINE.transform(dateOf),
  category: LINE,
});

function statedFact(entry: unknown): StatedFact | null {
  const { data } = STATED.safeParse(entry);
  if (data === undefined) return null;
  const { kind, importance, message: messageIndex, ...others } = data;
  return {
    ...others,
    isRetraction: kind === RETRACTION,
    importanceScore: Math.min(10, Math.max(1, Math.round(importance))),
    messageIndex,
  };
}

const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;

function dateOf(line: string): PartialDate | null {
  const [, year, month, day] = DATE.exec(line) ?? [];
  if (year === undefined) return null;
  return {
    year: Number(year),
    ...(month !== undefined && { month: Number(month) }),
    ...(day !== undefined && { day: Number(day) }),
  };
}
