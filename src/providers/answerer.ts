import { type CitedAnswer, uncited } from "../domain/citations.ts";
import type { Instant } from "../domain/instant.ts";
import type { ModelCall } from "./model-call.ts";

/** A memory as the answering model is shown it. */
export interface OfferedMemory {
  /** The N of its marker `[mem-N]`, from 1 in the order offered. */
  readonly number: number;
  readonly decision: string;
  readonly topic: string;
  readonly source: string;
  readonly validFrom: Instant;
  /** null: no end is known. */
  readonly validTo: Instant | null;
  /** Cosine similarity to the question, 0 to 1. */
  readonly similarity: number;
}

export interface Question {
  readonly text: string;
  /** Most relevant first; at least one. */
  readonly memories: readonly OfferedMemory[];
  /** When it is asked; where `knownAt` is given, that moment. */
  readonly now: Instant;
  /** The memories are what held at this moment, and the answer is to be about it; left out: now. */
  readonly asOf?: Instant;
  /** The memories are what was known at this moment, and nothing learned later; left out: now. */
  readonly knownAt?: Instant;
}

/** What is answered where the model has no words of its own for it. */
export const NONE_ANSWERS = uncited("None of the memories answers this question.");

/** Answers a question from the memories offered, and from nothing else. */
export interface Answerer {
  /**
   * Prose that cites memories by their numbers as offered. When none answers, prose that
   * says so and cites none, in the language of the question if the model can.
   *
   * Throws a `Failure` with the reason `model_unavailable` when the model does
   * not answer or answers nonsense.
   *
   * `show` is given what is certain of `answerWithCitations` before all of it is there, in
   * order: together, the beginning of it, or nothing.
   */
  answer(question: Question, call: ModelCall, show?: (text: string) => void): Promise<CitedAnswer>;
}
