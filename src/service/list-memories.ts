import { createHash } from "node:crypto";
import { isMemoryId } from "../domain/ids.ts";
import { formatInstant, type Instant, parseInstant } from "../domain/instant.ts";
import { MAX_PAGE_TEXT_BYTES } from "../domain/limits.ts";
import {
  type KnownValueField,
  type Memory,
  type MemoryFilters,
  momentOf,
} from "../domain/memory.ts";
import { countListed, selectKnownValues, selectMemories } from "../storage/memories.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { readScopedPageToken, tokenBehind } from "./page-token.ts";
import { admitReader } from "./plan.ts";

export interface MemoryQuery extends MemoryFilters {
  /** null: the default tenant. */
  readonly tenantId: string | null;
  readonly source: string | null;
  readonly includeSuperseded: boolean;
  readonly limit: number;
  /** The `nextPageToken` of the page before; null: the first page. */
  readonly pageToken: string | null;
}

export interface MemoryPage {
  readonly memories: readonly Memory[];
  /** null on the last page. */
  readonly nextPageToken: string | null;
}

export interface ListedMemories extends MemoryPage {
  /** When it is answered: now, or as it would have been then. */
  readonly moment: Instant;
}

/**
 * One page of memories, newest first (4.2, D21, D22, D34, D40), which ends early where its
 * texts are long (D37). A page starts behind the last memory of the page before, so that
 * writes in between move nothing.
 */
export async function listMemories(
  context: ServiceContext,
  caller: Caller,
  query: MemoryQuery,
): Promise<ListedMemories> {
  const { pageToken, ...filter } = query;
  const filters = filtersOf(query);
  const scope = { id: filters, what: "filters" } as const;
  const after = readScopedPageToken(pageToken, scope, ([time = "", id = ""]) => {
    const createdAt = parseInstant(time);
    return createdAt === null || !isMemoryId(id) ? null : { createdAt, id };
  });
  admitReader(context, caller);
  const moment = momentOf(query, context.now());
  const { memories, hasMore } = await selectMemories(caller.db, {
    ...filter,
    knownAt: query.knownAt === null ? null : moment,
    now: moment,
    maxTextBytes: MAX_PAGE_TEXT_BYTES,
    after,
  });
  const nextPageToken = tokenBehind(memories, hasMore, ({ createdAt, id }) => [
    formatInstant(createdAt),
    id,
    filters,
  ]);
  return { memories, nextPageToken, moment };
}

/** Memories of a list that are counted. */
const MAX_COUNTED_MEMORIES = 10_000;

/** How many memories a list has on all of its pages. Throws `plan_blocked`. */
export async function countMemories(context: ServiceContext, caller: Caller, query: MemoryQuery) {
  admitReader(context, caller);
  const now = momentOf(query, context.now());
  const knownAt = query.knownAt === null ? null : now;
  const limits = { limit: MAX_COUNTED_MEMORIES + 1, maxTextBytes: 0, after: null };
  const found = await countListed(caller.db, { ...query, ...limits, knownAt, now });
  const count = Math.min(found, MAX_COUNTED_MEMORIES);
  return { count, isMore: found > count };
}

/** Equal for equal filters, and short however long they are. */
function filtersOf({ pageToken: _, limit: __, metadata, ...filters }: MemoryQuery): string {
  const texts = Object.entries(metadata).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const values = Object.entries({ ...filters, metadata: texts })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => (typeof value === "bigint" ? formatInstant(value) : value));
  return createHash("sha256").update(JSON.stringify(values)).digest("base64url");
}

/** The values that are asked for; an empty prefix: any. */
export interface KnownValuesQuery {
  readonly field: KnownValueField;
  readonly prefix: string;
  /** null: the default tenant. */
  readonly tenantId: string | null;
}

/** Suggests what the caller's memories can be narrowed to. Throws `plan_blocked`. */
export async function listKnownValues(
  context: ServiceContext,
  caller: Caller,
  { field, prefix, tenantId }: KnownValuesQuery,
): Promise<string[]> {
  admitReader(context, caller);
  return selectKnownValues(caller.db, field, { prefix, tenantId });
}
