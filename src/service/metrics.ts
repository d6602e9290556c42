import type { AutoSupersedeOutcome, SkippedReason } from "../domain/auto-supersede.ts";
import type { ModelUsage } from "../providers/model-call.ts";

/** What came of one run of the classifier. */
export type ClassificationOutcome = "superseded" | "shadow" | SkippedReason;

/** What an operator sees of the service's judgement and its costs. Never text or keys. */
export interface ServiceMetrics {
  /** A call of a model succeeded. */
  modelCalled(usage: ModelUsage): void;
  /** The classifier ran for a new memory. */
  classified(outcome: ClassificationOutcome): void;
  /** An automatic supersession was taken back: the classifier was wrong. */
  restored(): void;
}

/** Counts what came of the classifier's runs, once it is stored. */
export function countClassifications(
  metrics: ServiceMetrics,
  outcomes: readonly AutoSupersedeOutcome[],
): void {
  for (const { ran, skippedReason, supersession } of outcomes) {
    if (!ran) continue;
    metrics.classified(skippedReason ?? (supersession?.applied ? "superseded" : "shadow"));
  }
}
