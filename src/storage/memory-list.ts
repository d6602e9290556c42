import { sql } from "kysely";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Memory, MemoryFilters } from "../domain/memory.ts";
import { holds, memoriesKnownAt, passesFilters } from "./memory-filters.ts";
import {
  bytesSoFar,
  type FoundMemories,
  fitsPage,
  hasMoreBehind,
  type PageLimits,
  textBytes,
} from "./memory-page.ts";
import {
  MEMORY_COLUMNS,
  type MemoryRow,
  memoryColumns,
  toMemory,
  toTenantColumn,
  uuidsOf,
} from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";

export interface MemoryFilter extends MemoryFilters, PageLimits {
  /** null: the default tenant. */
  readonly tenantId: string | null;
  /** null: every source. */
  readonly source: string | null;
  /** Adds the superseded and the expired; without effect where `asOf` is given (D21). */
  readonly includeSuperseded: boolean;
  readonly now: Instant;
  /** Only memories behind this one in the order of the list. */
  readonly after: { readonly createdAt: Instant; readonly id: MemoryId } | null;
}

/**
 * The memories that pass the filter, newest first: by `created_at`, then ID (D21, D22),
 * as many as the two limits allow (D37).
 */
export async function selectMemories(db: AccountDb, filter: MemoryFilter): Promise<FoundMemories> {
  const { source, asOf, includeSuperseded, now, after } = filter;
  let candidates = db
    .selectFrom(memoriesKnownAt(db.companyId, filter.knownAt).as("memories"))
    .select(MEMORY_COLUMNS)
    .select([
      textBytes.as("text_bytes"),
      bytesSoFar(textBytes, newestFirst).as("text_bytes_so_far"),
      hasMoreBehind(newestFirst).as("has_more"),
    ])
    .where("company_id", "=", db.companyId)
    .where("tenant_id", "=", toTenantColumn(filter.tenantId))
    .where(passesFilters(filter))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(filter.limit);
  if (asOf !== null || !includeSuperseded) candidates = candidates.where(holds(asOf, now));
  if (source !== null) candidates = candidates.where("source", "=", source);
  if (after !== null) {
    candidates = candidates.where(
      sql<boolean>`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    );
  }
  const rows = await db
    .selectFrom(candidates.as("memories"))
    .select(MEMORY_COLUMNS)
    .select("has_more")
    .where(fitsPage(filter))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return { memories: rows.map(toMemory), hasMore: rows.at(-1)?.has_more ?? false };
}

const newestFirst = sql`order by created_at desc, id desc`;

export interface FoundFirst {
  /** In the order in which they were asked for. */
  readonly memories: readonly Memory[];
  /** Of those that were asked for, how many are found or gone. */
  readonly looked: number;
}

/** The first of these memories, as many as have `maxTextBytes` of text and one at least. */
export async function findFirstMemories(
  db: AccountDb,
  ids: readonly MemoryId[],
  maxTextBytes: number,
): Promise<FoundFirst> {
  const order = sql`order by place`;
  const { rows } = await sql<MemoryRow & { readonly place: number; readonly has_more: boolean }>`
    select place, has_more, ${memoryColumns}
    from (
      select memories.*, wanted.place, ${textBytes} as text_bytes,
        ${bytesSoFar(textBytes, order)} as text_bytes_so_far,
        ${hasMoreBehind(order)} as has_more
      from unnest(${uuidsOf(ids)}) with ordinality as wanted (id, place)
      join memories on memories.company_id = ${db.companyId} and memories.id = wanted.id
    ) as memories
    where ${fitsPage({ maxTextBytes })}
    ${order}`.execute(db);
  const last = rows.at(-1);
  return { memories: rows.map(toMemory), looked: last?.has_more ? last.place : ids.length };
}
