import type { End } from "@agent-memory/gen/agentmemory/dashboard/v1/chain_service_pb";
import type { Memory } from "@agent-memory/gen/agentmemory/v1/memory_pb";
import { api } from "../../api.ts";

/** Versions in a picture: a chain may have thousands. */
const MAX_VERSIONS = 41;

export interface ChainVersion {
  readonly memory: Memory;
  /** The event that ended it last; null: none did. */
  readonly end: End | null;
}

/** The part of a chain that is shown; `length`: of the whole. */
export type LoadedChain = Awaited<ReturnType<typeof loadChain>>;

/** The versions around a memory of a chain, by their start, with what ended each. */
export async function loadChain(memoryId: string, signal: AbortSignal) {
  /** The versions so far, no more than a picture needs before the memory. */
  let before: readonly Memory[] = [];
  let pageToken: string | undefined;
  do {
    const page = await api.memories.getMemoryTimeline({ memoryId, pageToken }, { signal });
    const all = [...before, ...page.timeline];
    const place = all.findIndex(({ id }) => id === memoryId);
    if (place >= 0) {
      const first = Math.max(0, Math.min(place - (MAX_VERSIONS >> 1), all.length - MAX_VERSIONS));
      const around = all.slice(first, first + MAX_VERSIONS);
      const asked = { memoryIds: around.map(({ id }) => id) };
      const { ends } = await api.chain.listEnds(asked, { signal });
      const endOf = new Map(ends.map((end) => [end.memoryId, end]));
      const versions = around.map((memory) => ({ memory, end: endOf.get(memory.id) ?? null }));
      return { versions, length: page.chainLength };
    }
    before = all.slice(-MAX_VERSIONS);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return { versions: [], length: 0 };
}
