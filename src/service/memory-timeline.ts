import { isMemoryId, type MemoryId } from "../domain/ids.ts";
import { formatInstant, parseInstant } from "../domain/instant.ts";
import { MAX_PAGE_TEXT_BYTES, MAX_TIMELINE_PAGE_MEMORIES } from "../domain/limits.ts";
import { findVersions } from "../storage/memory-chains.ts";
import type { Caller, ServiceContext } from "./context.ts";
import type { MemoryPage } from "./list-memories.ts";
import { missingMemory } from "./memory-history.ts";
import { readScopedPageToken, tokenBehind } from "./page-token.ts";
import { admitReader } from "./plan.ts";

/** A page of a chain. */
export interface Timeline extends MemoryPage {
  /** Of the whole chain, as it is when the page is read. */
  readonly chainLength: number;
}

/**
 * One page of the chain that the memory belongs to, by `valid_from`, then `created_at`,
 * then ID (4.9, D20), which ends early where its texts are long (D37). A page starts
 * behind the last memory of the page before, in the chain as it is then: what joined it
 * before that place since is not shown, what left it behind that place is not either.
 *
 * `pageToken` is the `nextPageToken` of the page before; null: the first page. Throws
 * `invalid_field`, `memory_not_found` or `not_owner`.
 */
export async function getMemoryTimeline(
  context: ServiceContext,
  caller: Caller,
  memoryId: MemoryId,
  pageToken: string | null,
): Promise<Timeline> {
  const scope = { id: memoryId, what: "memory" } as const;
  const after = readScopedPageToken(pageToken, scope, ([start = "", time = "", id = ""]) => {
    const validFrom = parseInstant(start);
    const createdAt = parseInstant(time);
    const isPosition = validFrom !== null && createdAt !== null && isMemoryId(id);
    return isPosition ? { validFrom, createdAt, id } : null;
  });
  admitReader(context, caller);
  const page = { limit: MAX_TIMELINE_PAGE_MEMORIES, maxTextBytes: MAX_PAGE_TEXT_BYTES, after };
  const { memories, hasMore, chainLength } = await findVersions(caller.db, memoryId, page);
  if (chainLength === 0) throw await missingMemory(caller.db, memoryId, "memory_id");
  const nextPageToken = tokenBehind(memories, hasMore, ({ validFrom, createdAt, id }) => [
    formatInstant(validFrom),
    formatInstant(createdAt),
    id,
    memoryId,
  ]);
  return { memories, nextPageToken, chainLength };
}
