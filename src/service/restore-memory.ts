import type { AuditEvent } from "../domain/audit-event.ts";
import { CLASSIFIER_ACTOR } from "../domain/audit-event.ts";
import { Failure } from "../domain/failure.ts";
import { type Instant, parseInstant } from "../domain/instant.ts";
import { appendAuditEvents, listAuditEvents } from "../storage/audit-events.ts";
import { findMemory, lockMemories, markRestored } from "../storage/memories.ts";
import { transaction } from "../storage/transaction.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { missingMemory } from "./missing-memory.ts";
import { admitReader } from "./plan.ts";

/** A memory whose automatic supersession was taken back. */
export interface RestoredMemory {
  /** The memory that had replaced it. */
  readonly replacedBy: string;
  /** The end it had before; null: none. */
  readonly validTo: Instant | null;
}

/**
 * Takes back an automatic supersession (an addition to section 4): the memory is
 * what it was before, and its former replacement stays as it is.
 *
 * Throws `memory_not_found`, `not_owner`, and `not_restorable` when the memory
 * was not superseded by the classifier or its replacement was superseded since.
 */
export async function restoreMemory(
  context: MemoryContext,
  caller: Caller,
  memoryId: string,
): Promise<RestoredMemory> {
  await admitReader(context, caller);
  const restored = await transaction(context.db, async (trx) => {
    const { companyId } = caller;
    const before = await findMemory(trx, companyId, memoryId);
    if (before === null) throw await missingMemory(trx, memoryId, "memory_id");
    const ids = before.supersededBy === null ? [memoryId] : [memoryId, before.supersededBy];
    const locked = await lockMemories(trx, companyId, ids);
    const memory = locked.find(({ id }) => id === memoryId);
    const replacement = locked.find(({ id }) => id === memory?.supersededBy);
    if (memory === undefined || replacement === undefined) {
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
    const validTo = previousEnd(event);
    await markRestored(trx, companyId, memoryId, validTo);
    await appendAuditEvents(trx, companyId, [
      {
        memoryId,
        event: "restored",
        at: context.now(),
        actor: caller.apiKeyId,
        detail: {
          superseded_by: replacement.id,
          valid_to: event.detail.previous_valid_to ?? null,
        },
      },
    ]);
    return { replacedBy: replacement.id, validTo };
  });
  context.metrics.restored();
  return restored;
}

function previousEnd({ detail }: AuditEvent): Instant | null {
  const previous = detail.previous_valid_to;
  return typeof previous === "string" ? parseInstant(previous) : null;
}

function notRestorable(sentence: string): Failure {
  return new Failure("not_restorable", sentence, { field: "memory_id" });
}
