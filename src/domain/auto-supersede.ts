import type { Instant } from "./instant.ts";

/** Why automatic supersession ended nothing (D23). */
export type SkippedReason =
  | "disabled"
  | "excluded_category"
  | "no_candidates"
  | "not_superseding"
  | "below_min_confidence"
  | "classifier_unavailable";

/** One automatic supersession (D23). */
export interface AutoSupersession {
  /** The memory that ended. */
  readonly memoryId: string;
  readonly supersededBy: string;
  readonly validTo: Instant;
  /** 0 to 1. */
  readonly confidence: number;
  readonly reason: string;
  readonly model: string;
  /** False when the decision was recorded but not acted on. */
  readonly applied: boolean;
}

/** What automatic supersession did for one new memory (4.1). */
export interface AutoSupersedeOutcome {
  /** True when the classifier ran. */
  readonly ran: boolean;
  /** null where a supersession took place. */
  readonly skippedReason: SkippedReason | null;
  /** Number of memories that the classifier was shown. */
  readonly candidatesExamined: number;
  readonly supersession: AutoSupersession | null;
}

/** The outcome of a write for which the classifier did not run. */
export function notRun(skippedReason: SkippedReason): AutoSupersedeOutcome {
  return { ran: false, skippedReason, candidatesExamined: 0, supersession: null };
}
