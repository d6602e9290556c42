import type { SkippedReason, UnheededRetraction } from "../domain/auto-supersession.ts";
import type { RejectedFact } from "../providers/extractor.ts";
import type { FoundFact } from "./prepare-facts.ts";

/** Something that was said and came to nothing (D27a). */
export interface Rejected extends Omit<RejectedFact, "reason"> {
  readonly reason: RejectedFact["reason"] | SkippedReason;
}

/**
 * What was taken back and ended nothing, in the order of the conversation. `disabled`: where
 * automatic supersession is off.
 */
export function unheeded(
  disabled: readonly FoundFact[],
  retractions: readonly UnheededRetraction[],
): Rejected[] {
  return [
    ...disabled.map(({ decision: fact, provenance: { messageIndex } }) => {
      return { fact, messageIndex, reason: "disabled" as const };
    }),
    ...retractions.map(({ text: fact, ...rest }) => ({ fact, ...rest })),
  ].toSorted((a, b) => (a.messageIndex ?? 0) - (b.messageIndex ?? 0));
}
