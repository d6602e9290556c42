import { invalidField } from "../domain/failure.ts";
import { isMemoryId } from "../domain/ids.ts";
import { formatInstant, type Instant, parseInstant } from "../domain/instant.ts";
import type { Memory } from "../domain/memory.ts";
import { type MemoryFilter, selectMemories } from "../storage/memory-list.ts";
import type { Caller, ServiceContext } from "./context.ts";
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
  const after = pageToken === null ? null : readPageToken(pageToken, query);
  admitReader(context, caller);
  const found = await selectMemories(context.db, {
    ...filter,
    companyId: caller.companyId,
    now: context.now(),
    limit: query.limit + 1,
    after,
  });
  const memories = found.slice(0, query.limit);
  const last = memories.at(-1);
  const hasMore = found.length > memories.length && last !== undefined;
  return { memories, nextPageToken: hasMore ? writePageToken(last, query) : null };
}

/** A token is the position behind a memory, and the filters that it is good for. */
function writePageToken(last: Memory, query: MemoryQuery): string {
  const token = [formatInstant(last.createdAt), last.id, filtersOf(query)];
  return Buffer.from(JSON.stringify(token)).toString("base64url");
}

function readPageToken(pageToken: string, query: MemoryQuery): MemoryFilter["after"] {
  const [createdAt, id, filters] = parseToken(pageToken);
  const instant = typeof createdAt === "string" ? parseInstant(createdAt) : null;
  if (instant === null || typeof id !== "string" || !isMemoryId(id)) {
    throw invalidField("page_token", "must be the `next_page_token` of an earlier answer");
  }
  if (filters !== filtersOf(query)) {
    throw invalidField("page_token", "must be used with the filters of the page that it came from");
  }
  return { createdAt: instant, id };
}

function parseToken(pageToken: string): unknown[] {
  try {
    const token: unknown = JSON.parse(Buffer.from(pageToken, "base64url").toString("utf8"));
    return Array.isArray(token) ? token : [];
  } catch {
    return [];
  }
}

function filtersOf({ tenantId, source, includeSuperseded, asOf }: MemoryQuery): string {
  return JSON.stringify([
    tenantId,
    source,
    includeSuperseded,
    asOf === null ? null : formatInstant(asOf),
  ]);
}
