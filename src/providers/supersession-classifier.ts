import type { Candidate, Classification } from "../domain/auto-supersession.ts";
import type { ReportUsage } from "./model-call.ts";

/** A fact as the classifier is shown it. */
export type ClassifiedFact = Omit<Candidate, "id">;

export interface ClassificationInput {
  readonly fact: ClassifiedFact;
  /** Current memories that are similar to the fact, most similar first; at least one. */
  readonly candidates: readonly ClassifiedFact[];
  /** The setting `classifier_model`; applies where the classifier runs on Gemini (D26). */
  readonly model: string;
}

/** Decides whether a new fact replaces an older one. */
export interface SupersessionClassifier {
  /**
   * Throws a `Failure` with the reason `model_unavailable` when the model does
   * not answer. Nonsense becomes the safe value: it replaces none.
   */
  classify(
    input: ClassificationInput,
    signal: AbortSignal,
    report?: ReportUsage,
  ): Promise<Classification>;
}
