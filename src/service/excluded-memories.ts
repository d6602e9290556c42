import type { CategoryGate, GatedMemory } from "../domain/category-gate.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Caller, MemoryContext } from "./context.ts";

/** A new memory or a candidate, as the gate sees it. */
export interface GatedCandidate extends GatedMemory {
  readonly id: MemoryId;
}

/** Texts that are looked through in one turn of the event loop: a few milliseconds. */
const MAX_CHARACTERS_PER_TURN = 32 * 1024;
/** Memories that are compared with all examples in one turn. */
const MAX_COMPARED_PER_TURN = 25;

/**
 * The memories in an excluded category, each with it (D24). Each text is read, and each
 * vector compared, once, and in between others get their turn. Rejects when the client has
 * left.
 */
export async function findExcluded(
  { loopTurns }: MemoryContext,
  { companyId }: Caller,
  gate: CategoryGate,
  memories: readonly GatedCandidate[],
  client: AbortSignal,
): Promise<ReadonlyMap<MemoryId, string>> {
  const categories = await loopTurns.map(
    companyId,
    memories,
    ({ decision }) => decision.length / MAX_CHARACTERS_PER_TURN + 1 / MAX_COMPARED_PER_TURN,
    (memory) => gate.excludedCategory(memory),
    client,
  );
  return new Map(
    memories.flatMap(({ id }, index): [MemoryId, string][] => {
      const category = categories[index] ?? null;
      return category === null ? [] : [[id, category]];
    }),
  );
}
