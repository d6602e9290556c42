import type { Candidate, Classification } from "../domain/auto-supersession.ts";
import type { ModelCall } from "./model-call.ts";

/** A fact as the classifier sees it. */
export type ClassifiedFact = Omit<Candidate, "id">;

export interface ClassificationInput {
  readonly fact: ClassifiedFact;
  /** Whether a user takes the fact back (D25a): memories that state it end. */
  readonly isRetraction: boolean;
  /** Current memories that may be about the same matter; at least one. */
  readonly candidates: readonly ClassifiedFact[];
  /** Whether other facts of its write are decided at the same time: they take turns. */
  readonly isOneOfMany?: boolean;
  /** The setting `classifier_model`, for a classifier on Gemini (D26). */
  readonly model: string;
}

/** Decides which older facts a new fact makes untrue or repeats. */
export interface SupersessionClassifier {
  /** Rejects with `model_unavailable`. An unreadable answer ends no memory. */
  classify(input: ClassificationInput, call: ModelCall): Promise<Classification>;
}
