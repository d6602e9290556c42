import { invalidField } from "../domain/failure.ts";
import { isMemoryId } from "../domain/ids.ts";
import { formatInstant, type Instant, parseInstant } from "../domain/instant.ts";
import type { Memory } from "../domain/memory.ts";
import { type MemoryFilter, selectMemories } from "../storage/memory-list.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { pageOf, readPageToken } from "./page-token.ts";
import { admitReader } from "./plan.ts";

export interface MemoryQuery {
  /** null: the default tenant. */
  readonly tenantId: string | null;
  readonly source: string | null;
  readonly includeSuperseded: boolean;
  readonly asOf: Instant | null;
  readonly limit: number;
  /** The `nextPageToken` of the page before; null: the first page. */
  readonly pageToken: string | null;
}

export interface MemoryPage {
  readonly memories: readonly Memory[];
  /** null on the last page. */
  readonly nextPageToken: string | null;
}

/**
 * One page of memories, newest first (4.2, D21, D22, D34). A page starts behind
 * the last memory of the page before, so that writes in between move nothing.
 */
export async function listMemories(
  context: ServiceContext,
  caller: Caller,
  query: MemoryQuery,
): Promise<MemoryPage> {
  const { pageToken, ...filter } = query;
  const after = placeBehind(pageToken, query);
  admitReader(context, caller);
  const found = await selectMemories(context.db, {
    ...filter,
    companyId: caller.companyId,
    now: context.now(),
    limit: query.limit + 1,
    after,
  });
  // A token is the place behind a memory, and the filters that it is good for.
  const { entries: memories, nextPageToken } = pageOf(found, query.limit, (last) => [
    formatInstant(last.createdAt),
    last.id,
    filtersOf(query),
  ]);
  return { memories, nextPageToken };
}

function placeBehind(pageToken: string | null, query: MemoryQuery): MemoryFilter["after"] {
  const after = readPageToken(pageToken, ([time = "", id = "", filters]) => {
    const createdAt = parseInstant(time);
    return createdAt === null || !isMemoryId(id) ? null : { createdAt, id, filters };
  });
  if (after !== null && after.filters !== filtersOf(query)) {
    throw invalidField("page_token", "must be used with the filters of the page that it came from");
  }
  return after;
}

function filtersOf({ tenantId, source, includeSuperseded, asOf }: MemoryQuery): string {
  return JSON.stringify([
    tenantId,
    source,
    includeSuperseded,
    asOf === null ? null : formatInstant(asOf),
  ]);
}
