import type { MemoryId } from "../domain/ids.ts";
import type { Memory } from "../domain/memory.ts";
import type { JudgedStatement } from "../domain/settled-write.ts";
import {
  earliestStart,
  type Mover,
  type Start,
  type Trimming,
  trimEarlier,
  untrim,
} from "../domain/trimming.ts";
import { findEarlierVersions } from "../storage/earlier-versions.ts";
import { lockMemories } from "../storage/memory-locks.ts";
import { writeMemories } from "../storage/memory-writes.ts";
import type { AccountTrx } from "../storage/schema.ts";
import { findTrimmedVersions } from "../storage/trimmed-versions.ts";

// A chain of thousands may be trimmed at once. What does not fit in the statement that ends
// its newest version follows here, in statements of the same transaction.

/** Locks what the statements may end, and what this had replaced before and is to be trimmed. */
export async function lockSuperseded(
  trx: AccountTrx,
  statements: readonly JudgedStatement[],
): Promise<Memory[]> {
  const ending = statements.filter(({ verdict }) => verdict.superseded.length > 0);
  if (ending.length === 0) return [];
  const superseded = ending.flatMap(({ verdict }) => verdict.superseded);
  const ids = new Set(superseded.map(({ candidate }) => candidate.id));
  const start = earliestStart(
    ending.map(({ memory, retractedBy }) => (retractedBy === null ? memory : null)),
  );
  return lockMemories(trx, [...ids], start?.validFrom ?? null);
}

/** A part of the ends that move, and the histories that their events go on. */
interface Moves extends Trimming {
  readonly hasMore: boolean;
  readonly lastSequences: ReadonlyMap<MemoryId, number>;
}

/** Trims what else leads to the memories that end; `laterStarts`: by these. */
export function trimRest(
  trx: AccountTrx,
  laterStarts: ReadonlyMap<MemoryId, Start | null>,
  mover: Mover,
): Promise<void> {
  return moveAll(trx, async () => {
    const found = await findEarlierVersions(trx, laterStarts);
    return { ...found, ...trimEarlier(found.earlier, laterStarts, mover) };
  });
}

/** Gives back all that the replacement of `memoryId` had trimmed. */
export function untrimAll(trx: AccountTrx, memoryId: MemoryId, mover: Mover): Promise<void> {
  return moveAll(trx, async () => {
    const found = await findTrimmedVersions(trx, memoryId);
    return { ...found, ...untrim(found.trimmed, memoryId, mover) };
  });
}

async function moveAll(trx: AccountTrx, next: () => Promise<Moves>): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const { ends: moved, events, lastSequences, hasMore: isPartial } = await next();
    await writeMemories(trx, { created: [], ended: [], moved, events, lastSequences });
    hasMore = isPartial;
  }
}
