import { type Mover, type Start, type Trimming, trimEarlier, untrim } from "../domain/chain.ts";
import type { MemoryId } from "../domain/ids.ts";
import { findEarlierVersions, findTrimmedVersions } from "../storage/memory-chains.ts";
import { writeMemories } from "../storage/memory-writes.ts";
import type { AccountTrx } from "../storage/schema.ts";

// A chain may have thousands of versions to trim. The statement that ends its newest version
// trims the first of them; further statements of the same transaction trim the others.

/** A part of the ends that move, and the histories that their events go on. */
interface Moves extends Trimming {
  readonly hasMore: boolean;
  readonly lastSequences: ReadonlyMap<MemoryId, number>;
}

/** Trims the other versions that lead to the memories that end; `laterStarts`: by these. */
export function trimRemaining(
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
