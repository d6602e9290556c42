import { createHash } from "node:crypto";
import { checkTenant } from "../domain/api-key.ts";
import { Failure } from "../domain/failure.ts";
import { isMemoryId, type MemoryId } from "../domain/ids.ts";
import { formatInstant, parseInstant } from "../domain/instant.ts";
import {
  MAX_AUDIT_PAGE_EVENTS,
  MAX_COUNTED_MEMORIES,
  MAX_PAGE_TEXT_BYTES,
  MAX_TIMELINE_PAGE_MEMORIES,
} from "../domain/limits.ts";
import { type MemoryFilters, momentOf } from "../domain/memory.ts";
import { listAuditEvents } from "../storage/audit-events.ts";
import {
  belongsToAnother,
  countListed,
  findMemoryRecord,
  type KnownValuesQuery,
  selectKnownValues,
  selectMemories,
} from "../storage/memories.ts";
import { findVersions } from "../storage/memory-chains.ts";
import type { AccountDb } from "../storage/schema.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { memoryIdIn, numberIn, readPageToken, tokenBehind } from "./page-token.ts";
import { admitReader } from "./plan.ts";

const HISTORY_ORDER = { sequence: numberIn };
const LIST_ORDER = { createdAt: parseInstant, id: memoryIdIn };
const CHAIN_ORDER = { validFrom: parseInstant, ...LIST_ORDER };

/** Holds a call that names a memory, in `field`, to the key's tenants. Throws `not_permitted`. */
export async function checkTenantOfMemory(
  { db, rights }: Caller,
  id: unknown,
  field: "memory_id" | "superseded_by",
): Promise<void> {
  const memoryId = typeof id === "string" ? id.toLowerCase() : "";
  if (rights === null || !isMemoryId(memoryId)) return;
  const record = await findMemoryRecord(db, memoryId);
  if (record !== null) checkTenant(rights, record.memory.tenantId, field);
}

/** One memory (D42). Throws `memory_not_found` or `not_owner`. */
export async function getMemory(context: ServiceContext, caller: Caller, memoryId: MemoryId) {
  admitReader(context, caller);
  const record = await findMemoryRecord(caller.db, memoryId);
  if (record === null) throw await missingMemory(caller.db, memoryId, "memory_id");
  return record.memory;
}

/**
 * Where a memory came from, and what happened to it, in order: at most `MAX_AUDIT_PAGE_EVENTS` a
 * page, and `MAX_PAGE_TEXT_BYTES` of details (4.10, D14, D32, D37).
 *
 * `pageToken` is the `nextPageToken` of the page before; null: the first page. Throws
 * `invalid_field`, `memory_not_found` or `not_owner`.
 */
export async function getMemoryAudit(
  context: ServiceContext,
  caller: Caller,
  memoryId: MemoryId,
  pageToken: string | null,
) {
  const scope = { id: memoryId, what: "memory" } as const;
  const after = readPageToken(pageToken, HISTORY_ORDER, scope);
  admitReader(context, caller);
  const record = await findMemoryRecord(caller.db, memoryId);
  if (record === null) throw await missingMemory(caller.db, memoryId, "memory_id");
  const page = { limit: MAX_AUDIT_PAGE_EVENTS, maxTextBytes: MAX_PAGE_TEXT_BYTES };
  const from = after?.sequence ?? 0;
  const { events, hasMore } = await listAuditEvents(caller.db, memoryId, from, page);
  const nextPageToken = tokenBehind(events, hasMore, HISTORY_ORDER, scope);
  return { ...record, history: events, nextPageToken };
}

/**
 * Why the account does not have a memory of this ID (5.5): `not_owner` (403) when
 * another account does, else `memory_not_found` (404).
 *
 * The look-up by ID alone visits every shard of a distributed database, so it
 * runs only once the look-up within the account has missed.
 */
export async function missingMemory(db: AccountDb, id: MemoryId, field: string): Promise<Failure> {
  return (await belongsToAnother(db, id))
    ? new Failure("not_owner", `\`${field}\` is a memory of another account`, { field })
    : new Failure("memory_not_found", `\`${field}\` is not the ID of a memory`, { field });
}

/**
 * One page of the chain that the memory belongs to, by `valid_from`, then `created_at`,
 * then ID (4.9, D20), which ends early where its texts are long (D37). A page starts
 * behind the last memory of the page before, in the chain as it is then: what joined it
 * before that place since is not shown, what left it behind that place is not either.
 * `chainLength`: of the whole chain when the page is read.
 *
 * `pageToken` is the `nextPageToken` of the page before; null: the first page. Throws
 * `invalid_field`, `memory_not_found` or `not_owner`.
 */
export async function getTimeline(
  context: ServiceContext,
  caller: Caller,
  memoryId: MemoryId,
  pageToken: string | null,
) {
  const scope = { id: memoryId, what: "memory" } as const;
  const after = readPageToken(pageToken, CHAIN_ORDER, scope);
  admitReader(context, caller);
  const page = { limit: MAX_TIMELINE_PAGE_MEMORIES, maxTextBytes: MAX_PAGE_TEXT_BYTES, after };
  const { memories, hasMore, chainLength } = await findVersions(caller.db, memoryId, page);
  if (chainLength === 0) throw await missingMemory(caller.db, memoryId, "memory_id");
  const nextPageToken = tokenBehind(memories, hasMore, CHAIN_ORDER, scope);
  return { memories, nextPageToken, chainLength };
}

export interface MemoryQuery extends MemoryFilters {
  /** null: the default tenant. */
  readonly tenantId: string | null;
  readonly source: string | null;
  readonly includeSuperseded: boolean;
  readonly limit: number;
  /** The `nextPageToken` of the page before; null: the first page. */
  readonly pageToken: string | null;
}

/**
 * One page of memories, newest first (4.2, D21, D22, D34, D40), which ends early where its
 * texts are long (D37). A page starts behind the last memory of the page before, so that
 * writes in between move nothing. `moment`: when it is answered, now or as it would have been.
 */
export async function listMemories(context: ServiceContext, caller: Caller, query: MemoryQuery) {
  const { pageToken, ...filter } = query;
  const scope = { id: filtersOf(query), what: "filters" } as const;
  const after = readPageToken(pageToken, LIST_ORDER, scope);
  admitReader(context, caller);
  const moment = momentOf(query, context.now());
  const { memories, hasMore } = await selectMemories(caller.db, {
    ...filter,
    knownAt: query.knownAt === null ? null : moment,
    now: moment,
    maxTextBytes: MAX_PAGE_TEXT_BYTES,
    after,
  });
  const nextPageToken = tokenBehind(memories, hasMore, LIST_ORDER, scope);
  return { memories, nextPageToken, moment };
}

/** Equal for equal filters, and short however long they are. */
function filtersOf({ pageToken: _, limit: __, metadata, ...filters }: MemoryQuery): string {
  const texts = Object.entries(metadata).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const values = Object.entries({ ...filters, metadata: texts })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => (typeof value === "bigint" ? formatInstant(value) : value));
  return createHash("sha256").update(JSON.stringify(values)).digest("base64url");
}

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

/** Suggests what the caller's memories can be narrowed to. Throws `plan_blocked`. */
export async function listKnownValues(
  context: ServiceContext,
  caller: Caller,
  query: KnownValuesQuery,
): Promise<string[]> {
  admitReader(context, caller);
  return selectKnownValues(caller.db, query);
}
