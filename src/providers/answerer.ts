import type { Instant } from "../domain/instant.ts";
import type { ReportUsage } from "./model-call.ts";

/** A memory as the answering model is shown it. */
export interface OfferedMemory {
  /** The N of its marker `[mem-N]`, from 1 in the order offered. */
  readonly number: number;
  readonly decision: string;
  readonly topic: string;
  readonly source: string;
  readonly validFrom: Instant;
  /** Cosine similarity to the question, 0 to 1. */
  readonly similarity: number;
}

export interface Question {
  readonly text: string;
  /** Most similar first; at least one. */
  readonly memories: readonly OfferedMemory[];
  readonly now: Instant;
}

/** Answers a question from the memories offered, and from nothing else. */
export interface Answerer {
  /**
   * Prose with markers `[mem-N]` behind what each memory supports, N as offered.
   * When none answers, prose that says so, without a marker. The caller checks
   * the markers; the text is untrusted.
   *
   * Throws a `Failure` with the reason `model_unavailable` when the model does
   * not answer or answers nonsense.
   */
  answer(question: Question, signal: AbortSignal, report?: ReportUsage): Promise<string>;
}
