import { type RawBuilder, sql } from "kysely";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Memory, MemoryFilters } from "../domain/memory.ts";
import { holds, memoriesKnownAt, passesFilters } from "./memory-filters.ts";
import { type FoundMemories, type PageLimits, selectPage, textBytes } from "./memory-page.ts";
import {
  type MemoryRow,
  memoryColumns,
  type ProvenanceRow,
  provenanceColumns,
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
  const found = sql<MemoryRow>`
    select ${memoryColumns}, ${textBytes} as text_bytes ${listed(db.companyId, filter)}`;
  const newestFirst = sql`order by created_at desc, id desc`;
  const { rows, hasMore } = await selectPage(db, found, newestFirst, filter);
  return { memories: rows.map(toMemory), hasMore };
}

/** FROM and WHERE of what passes the filter. */
function listed(companyId: CompanyId, filter: MemoryFilter): RawBuilder<unknown> {
  const { source, asOf, includeSuperseded, now, after } = filter;
  const conditions = [passesFilters(filter)];
  if (asOf !== null || !includeSuperseded) conditions.push(holds(asOf, now));
  if (source !== null) conditions.push(sql`source = ${source}`);
  if (after !== null) {
    conditions.push(sql`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`);
  }
  return sql`
    from ${memoriesKnownAt(companyId, filter.knownAt)} as memories
    where company_id = ${companyId} and tenant_id = ${toTenantColumn(filter.tenantId)}
      and ${sql.join(conditions, sql` and `)}`;
}

/** How many memories pass the filter, as far as its limit. */
export async function countListed(db: AccountDb, filter: MemoryFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 ${listed(db.companyId, filter)} limit ${filter.limit}
    ) as listed`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The memories that one write of these tenants stored at a moment, and those they replaced. */
export async function selectOfWrite(
  db: AccountDb,
  write: { readonly tenantIds: readonly string[]; readonly writtenAt: Instant },
  limits: PageLimits,
): Promise<readonly Memory[]> {
  const isWritten = sql`company_id = ${db.companyId} and created_at = ${write.writtenAt}
    and tenant_id = any(${write.tenantIds}::text[])`;
  const found = sql<MemoryRow>`
    select ${memoryColumns}, ${textBytes} as text_bytes from memories
    where (${isWritten}) or (company_id = ${db.companyId}
      and superseded_by = any(array(select id from memories where ${isWritten})))`;
  const { rows } = await selectPage(db, found, sql`order by id`, limits);
  return rows.map(toMemory);
}

/** All that is stored of a memory but its vectors, and its place, from 1, among those asked for. */
export interface StoredRow extends MemoryRow, ProvenanceRow {
  readonly place: number;
  readonly stated_at: Instant;
  readonly category: string | null;
}

export interface FoundFirst {
  /** In the order in which they were asked for. */
  readonly rows: readonly StoredRow[];
  /** Of those that were asked for, how many are found or gone. */
  readonly looked: number;
}

/** The first of these memories, as many as have `maxTextBytes` of text and one at least. */
export async function selectFirst(
  db: AccountDb,
  ids: readonly MemoryId[],
  maxTextBytes: number,
): Promise<FoundFirst> {
  const found = sql<StoredRow>`
    select place, ${memoryColumns}, ${provenanceColumns}, category,
      coalesce(stated_at, valid_from) as stated_at, ${textBytes} as text_bytes
    from unnest(${uuidsOf(ids)}) with ordinality as wanted (id, place)
    join memories on memories.company_id = ${db.companyId} and memories.id = wanted.id`;
  const limits = { limit: ids.length, maxTextBytes };
  const { rows, hasMore } = await selectPage(db, found, sql`order by place`, limits);
  return { rows, looked: hasMore ? (rows.at(-1)?.place ?? 0) : ids.length };
}

/** As `selectFirst`. */
export async function findFirstMemories(
  db: AccountDb,
  ids: readonly MemoryId[],
  maxTextBytes: number,
): Promise<{ readonly memories: readonly Memory[]; readonly looked: number }> {
  const { rows, looked } = await selectFirst(db, ids, maxTextBytes);
  return { memories: rows.map(toMemory), looked };
}
