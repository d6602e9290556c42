import { CLASSIFIER_ACTOR } from "../domain/audit-event.ts";
import { Failure } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { previousEnd } from "../domain/supersession.ts";
import { listAuditEvents } from "../storage/audit-events.ts";
import { lockWithReplacement } from "../storage/memories.ts";
import { writeMemories } from "../storage/memory-writes.ts";
import { transaction } from "../storage/transaction.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { missingMemory } from "./memory-history.ts";
import { admitReader } from "./plan.ts";

/** A memory whose automatic supersession was taken back. */
export interface RestoredMemory {
  /** The memory that had replaced it. */
  readonly replacedBy: MemoryId;
  /** The end it had before; null: none. */
  readonly validTo: Instant | null;
}

/**
 * Takes back an automatic supersession: the memory is what it was before, and its
 * former replacement stays as it is.
 *
 * Throws `memory_not_found`, `not_owner`, and `not_restorable` when the memory
 * was not superseded by the classifier or its replacement was superseded since.
 */
export async function restoreMemory(
  context: MemoryContext,
  caller: Caller,
  memoryId: MemoryId,
): Promise<RestoredMemory> {
  admitReader(context, caller);
  const { companyId, apiKeyId } = caller;
  const restored = await transaction(context.db, async (trx) => {
    const locked = await lockWithReplacement(trx, companyId, memoryId);
    const memory = locked.find(({ id }) => id === memoryId);
    if (memory === undefined) throw await missingMemory(trx, memoryId, "memory_id");
    const replacement = locked.find(({ id }) => id === memory.supersededBy);
    if (replacement === undefined) {
      throw notRestorable("the memory was not superseded by another one");
    }
    const history = await listAuditEvents(trx, companyId, memoryId);
    const event = history.findLast(({ event }) => event === "superseded");
    if (event?.actor !== CLASSIFIER_ACTOR) {
      throw notRestorable("the memory was superseded by a call, not by the classifier");
    }
    if (replacement.supersededAt !== null) {
      throw notRestorable("the memory that replaced it was itself superseded since");
    }
    const validTo = previousEnd(event.detail);
    await writeMemories(trx, {
      companyId,
      created: [],
      ended: [{ id: memoryId, validTo, supersededBy: null, supersededAt: null }],
      events: [
        {
          memoryId,
          event: "restored",
          at: context.now(),
          actor: apiKeyId,
          detail: {
            superseded_by: replacement.id,
            valid_to: event.detail.previous_valid_to ?? null,
          },
        },
      ],
      lastSequences: new Map([[memoryId, history.length]]),
    });
    return { replacedBy: replacement.id, validTo };
  });
  context.metrics.restored();
  return restored;
}

function notRestorable(sentence: string): Failure {
  return new Failure("not_restorable", sentence, { field: "memory_id" });
}
