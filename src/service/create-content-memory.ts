import type { Instant } from "../domain/instant.ts";
import { writeQuotaExceeded } from "../domain/plan.ts";
import { checkKnownEnd } from "../domain/validity.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { type IdempotencyRequest, once } from "./idempotency.ts";
import { countClassifications } from "./metrics.ts";
import { withModelDeadline } from "./model-deadline.ts";
import { startUsageLog } from "./model-usage.ts";
import { admitWriter } from "./plan.ts";
import { prepareFacts } from "./prepare-facts.ts";
import { type StoredFact, storeFacts } from "./store-facts.ts";

export interface ContentWrite {
  /** Stored exactly as given. */
  readonly content: string;
  readonly topic: string;
  readonly importanceScore: number;
  readonly source: string;
  readonly tenantId: string | null;
  /** null: as the settings say. */
  readonly autoSupersede: boolean | null;
  /** null: now. */
  readonly validFrom: Instant | null;
  readonly validTo: Instant | null;
}

/** What is told of a stored memory, and kept for its idempotency key. */
export interface CreatedMemory {
  readonly memoryId: string;
  readonly autoSupersede: StoredFact["autoSupersede"];
}

/**
 * Stores one fact as given (4.1, content mode).
 *
 * Throws `invalid_field` for an end that is not after the start (D17),
 * `plan_canceled`, `write_quota_exceeded`, `plan_blocked`, and
 * `model_unavailable` when the embedder does not answer, or `overloaded` when it
 * is asked too much; then nothing is stored.
 */
export async function createContentMemory(
  context: MemoryContext,
  caller: Caller,
  write: ContentWrite,
  idempotency: IdempotencyRequest | null,
  signal: AbortSignal,
): Promise<CreatedMemory> {
  return once<CreatedMemory>(context, caller, idempotency, async (keep) => {
    // Not before: a repeat gets its first result also when the end has passed since.
    checkKnownEnd(write.validFrom ?? context.now(), write.validTo);
    const plan = await admitWriter(context, caller);
    const input = {
      decision: write.content,
      summary: write.content,
      topic: write.topic,
      importanceScore: write.importanceScore,
      originalMessage: write.content,
      provenance: { mode: "content", sessionId: null, messageIndex: null, extraction: null },
    } as const;
    const facts = await withModelDeadline(context, signal, (bounded) =>
      prepareFacts(context, caller, write, [input], startUsageLog(context), bounded),
    );
    const created = await storeFacts(context, caller, plan, facts, async (trx, [stored]) => {
      if (stored === undefined) throw writeQuotaExceeded(plan);
      const result = { memoryId: stored.memory.id, autoSupersede: stored.autoSupersede };
      // Only a classifier's reason can hold text of a memory. A result without one
      // outlives an erasure, so that a repeat after it writes nothing (D33).
      const holdsText = stored.autoSupersede.supersession !== null;
      await keep(trx, result, holdsText ? write.tenantId : undefined);
      return result;
    });
    countClassifications(context.metrics, [created.autoSupersede]);
    return created;
  });
}
