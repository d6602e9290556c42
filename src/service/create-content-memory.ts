import type { Instant } from "../domain/instant.ts";
import { writeQuotaExceeded } from "../domain/plan.ts";
import { transaction } from "../storage/transaction.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { type IdempotencyRequest, once } from "./idempotency.ts";
import { countClassifications } from "./metrics.ts";
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
 * Throws `plan_canceled`, `write_quota_exceeded`, `plan_blocked`, and
 * `model_unavailable` when the embedder does not answer; then nothing is stored.
 */
export async function createContentMemory(
  context: MemoryContext,
  caller: Caller,
  write: ContentWrite,
  idempotency: IdempotencyRequest | null,
  signal: AbortSignal,
): Promise<CreatedMemory> {
  return once<CreatedMemory>(context, caller, idempotency, async (keep) => {
    const plan = await admitWriter(context, caller);
    const input = {
      decision: write.content,
      summary: write.content,
      topic: write.topic,
      importanceScore: write.importanceScore,
      originalMessage: write.content,
      provenance: { mode: "content", sessionId: null, messageIndex: null, extraction: null },
    } as const;
    const facts = await prepareFacts(
      context,
      caller,
      write,
      [input],
      startUsageLog(context),
      signal,
    );
    const created = await transaction(context.db, async (trx) => {
      const [stored] = await storeFacts(trx, caller, plan, facts, context.now());
      if (stored === undefined) throw writeQuotaExceeded(plan);
      const result = { memoryId: stored.memory.id, autoSupersede: stored.autoSupersede };
      await keep(trx, result, write.tenantId);
      return result;
    });
    countClassifications(context.metrics, [created.autoSupersede]);
    return created;
  });
}
