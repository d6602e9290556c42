import { Failure } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { previousEnd } from "../domain/supersession.ts";
import { readSupersessionHistory } from "../storage/ends-of-validity.ts";
import { lockForRestore } from "../storage/memory-locks.ts";
import { writeMemories } from "../storage/memory-writes.ts";
import { transaction } from "../storage/transaction.ts";
import { untrimAll } from "./chain-trimming.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { missingMemory } from "./memory-history.ts";
import { admitReader } from "./plan.ts";

/** A memory that was ended automatically and holds again. */
export interface RestoredMemory {
  /** The memory that had replaced it; null: none had. */
  readonly replacedBy: MemoryId | null;
  /** The end it had before; null: none. */
  readonly validTo: Instant | null;
}

/**
 * Takes back an automatic supersession or a retraction (D25a): the memory is what it was
 * before, a former replacement stays as it is, and what this one had trimmed gets its ends
 * back (D18a).
 *
 * Throws `memory_not_found`, `not_owner`, and `not_restorable` when the memory
 * was not ended by the classifier or its replacement was superseded since.
 */
export async function restoreMemory(
  context: MemoryContext,
  caller: Caller,
  memoryId: MemoryId,
): Promise<RestoredMemory> {
  admitReader(context, caller);
  const restored = await context.tracer.span("write", {}, () =>
    transaction(caller.db, async (trx) => {
      const locked = await lockForRestore(trx, memoryId);
      const memory = locked.find(({ id }) => id === memoryId);
      if (memory === undefined) throw await missingMemory(trx, memoryId, "memory_id");
      if (memory.supersededAt === null) throw notRestorable("the memory was not superseded");
      const replacement = locked.find(({ id }) => id === memory.supersededBy) ?? null;
      const { lastEnd, lastSequences } = await readSupersessionHistory(trx, {
        memoryId,
        replacementId: null,
      });
      // Of the classifier, or accepted of what it decided.
      if (lastEnd?.detail.confidence === undefined) {
        throw notRestorable("the memory was superseded by a call, not by the classifier");
      }
      if (replacement !== null && replacement.supersededAt !== null) {
        throw notRestorable("the memory that replaced it was itself superseded since");
      }
      const validTo = previousEnd(lastEnd.detail);
      const mover = { actor: caller.apiKeyId, at: context.now() };
      // First, while the chain still tells what the replacement had trimmed.
      await untrimAll(trx, memoryId, mover);
      await writeMemories(trx, {
        created: [],
        ended: [{ id: memoryId, validTo, supersededBy: null, supersededAt: null }],
        moved: [],
        events: [
          {
            memoryId,
            event: "restored",
            ...mover,
            detail: {
              superseded_by: memory.supersededBy,
              valid_to: lastEnd.detail.previous_valid_to ?? null,
            },
          },
        ],
        lastSequences,
      });
      return { replacedBy: memory.supersededBy, validTo };
    }),
  );
  context.metrics.restored();
  return restored;
}

function notRestorable(sentence: string): Failure {
  return new Failure("not_restorable", sentence, { field: "memory_id" });
}
