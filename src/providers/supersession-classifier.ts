import type { Instant } from "../domain/instant.ts";
import type { ReportUsage } from "./model-call.ts";

/** A fact as the classifier is shown it. */
export interface ClassifiedFact {
  readonly decision: string;
  readonly topic: string;
  readonly validFrom: Instant;
}

export interface ClassificationInput {
  readonly fact: ClassifiedFact;
  /** Current memories that are similar to the fact, most similar first; at least one. */
  readonly candidates: readonly ClassifiedFact[];
  /** The setting `classifier_model`; applies where the classifier runs on Gemini (D26). */
  readonly model: string;
}

/** Whether the fact is a newer value of what one candidate says. */
export interface Classification {
  /** Position of the candidate in the input, from 0; null: the fact replaces none. */
  readonly supersededIndex: number | null;
  /** 0 to 1. */
  readonly confidence: number;
  /** One sentence. */
  readonly reason: string;
  /** The model that decided. */
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
