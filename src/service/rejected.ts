import type { SkippedReason, UnheededRetraction } from "../domain/auto-supersession.ts";
import type { Instant } from "../domain/instant.ts";
import {
  type KeptRejectedFact,
  MAX_REJECTED_FACT_CHARACTERS,
  MAX_REJECTED_MESSAGE_CHARACTERS,
  shortened,
} from "../domain/rejected-fact.ts";
import type { RejectedFact } from "../providers/extractor.ts";
import type { MemoryContext } from "./context.ts";
import type { FoundFact, MemoryWrite } from "./prepare-facts.ts";

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
      return { fact, isRetraction: true, messageIndex, reason: "disabled" as const };
    }),
    ...retractions.map(({ text: fact, ...rest }) => ({ fact, isRetraction: true, ...rest })),
  ].toSorted((a, b) => (a.messageIndex ?? 0) - (b.messageIndex ?? 0));
}

/**
 * What of a write is kept to be reviewed: all that it rejected, in bounded words; nothing
 * where nobody can see it.
 */
export function rejectedToKeep(
  { keepsRejectedFacts, newId }: Pick<MemoryContext, "keepsRejectedFacts" | "newId">,
  write: MemoryWrite,
  rejected: readonly Rejected[],
  now: Instant,
): KeptRejectedFact[] {
  if (!keepsRejectedFacts || write.mode !== "messages") return [];
  const { tenantId, sessionId, source, metadata, messages } = write;
  return rejected.map(({ fact, isRetraction, messageIndex, reason }) => {
    const kept = fact === null ? null : shortened(fact, MAX_REJECTED_FACT_CHARACTERS);
    const message = messageIndex === null ? undefined : messages[messageIndex]?.content;
    return {
      id: newId(),
      tenantId,
      sessionId,
      source,
      metadata,
      rejectedAt: now,
      saidAt: write.validFrom ?? now,
      fact: kept,
      isFactCut: kept !== fact,
      isRetraction,
      message: message === undefined ? null : shortened(message, MAX_REJECTED_MESSAGE_CHARACTERS),
      messageIndex,
      reason,
    };
  });
}
