import type { Candidate, Classification } from "../domain/auto-supersession.ts";
import type { ModelCall } from "./model-call.ts";

/** A fact as the classifier is shown it. */
export type ClassifiedFact = Omit<Candidate, "id">;

export interface ClassificationInput {
  readonly fact: ClassifiedFact;
  /** True where the fact is what a user takes back (D25a): what says it ends. */
  readonly isRetraction: boolean;
  /** Current memories that may be about the same as the fact, at least one. */
  readonly candidates: readonly ClassifiedFact[];
  /** The setting `classifier_model`; applies where the classifier runs on Gemini (D26). */
  readonly model: string;
}

/** Decides which older facts a new one makes untrue or says again. */
export interface SupersessionClassifier {
  /**
   * Throws a `Failure` with the reason `model_unavailable` when the model does
   * not answer. Nonsense becomes the safe value: it ends none.
   */
  classify(input: ClassificationInput, call: ModelCall): Promise<Classification>;
}
