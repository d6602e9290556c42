import { sql } from "kysely";
import type { BlockFact } from "../domain/context-block.ts";
import type { EmbeddingSpace } from "../domain/embedding.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Memory, MemoryFilters } from "../domain/memory.ts";
import {
  type KnownValueField,
  MAX_KNOWN_VALUES,
  MEMORIES_WITH_KNOWN_VALUES,
} from "../domain/memory.ts";
import { holds, memoriesThatPass } from "./memory-filters.ts";
import {
  DEFAULT_TENANT,
  type FoundMemories,
  type MemoryRow,
  memoryColumns,
  type PageLimits,
  type ProvenanceRow,
  provenanceColumns,
  selectPage,
  textBytes,
  toMemory,
  toProvenance,
  toTenantColumn,
  uuidsOf,
} from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";
import type { MemorySearch } from "./search-scope.ts";

/**
 * Whether another account has the memory; only to tell 403 from 404 once a look-up
 * within the account missed.
 *
 * Across accounts: another account's is what is looked for.
 */
export async function belongsToAnother(db: AccountDb, id: MemoryId): Promise<boolean> {
  const row = await db
    .selectFrom("memories")
    .select("id")
    .where("id", "=", id)
    .where("company_id", "<>", db.companyId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export interface MemoryCounts {
  /** Superseded ones too. */
  readonly memories: number;
  /** That have a memory; the default one counts as one of them. */
  readonly tenants: number;
}

/** Reads an index of the account's memories from one end to the other. */
export async function countMemories(db: AccountDb): Promise<MemoryCounts> {
  const { rows } = await sql<MemoryCounts>`
    select coalesce(sum(count), 0)::integer as memories, count(*)::integer as tenants
    from (
      select count(*) as count from memories
      where company_id = ${db.companyId} group by tenant_id
    ) as tenant`.execute(db);
  return rows[0] ?? { memories: 0, tenants: 0 };
}

/** A memory with its provenance and the active space, where it has its vector; null: no memory. */
export async function findMemoryRecord(db: AccountDb, id: MemoryId) {
  const { rows } = await sql<MemoryRow & ProvenanceRow & EmbeddingSpace>`
    select ${memoryColumns}, ${provenanceColumns}, provider, model, dimensions
    from memories join embedding_spaces on is_active
    where memories.company_id = ${db.companyId} and memories.id = ${id}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { provider, model, dimensions } = row;
  const embedding = { provider, model, dimensions };
  return { memory: toMemory(row), provenance: toProvenance(row), embedding };
}

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

/** Memories that pass the filter, newest first, as many as both limits allow (D21, D22, D37). */
export async function selectMemories(db: AccountDb, filter: MemoryFilter): Promise<FoundMemories> {
  const found = sql<MemoryRow>`
    select ${memoryColumns}, ${textBytes} as text_bytes ${listed(db, filter)}`;
  const newestFirst = sql`order by created_at desc, id desc`;
  const { rows, hasMore } = await selectPage(db, found, newestFirst, filter);
  return { memories: rows.map(toMemory), hasMore };
}

/** FROM and WHERE of what passes the filter. */
function listed({ companyId }: AccountDb, filter: MemoryFilter) {
  const { tenantId, source, asOf, includeSuperseded, now, after } = filter;
  const ofTenant = { ...filter, tenantIds: [tenantId], sources: source === null ? null : [source] };
  const conditions = asOf !== null || !includeSuperseded ? [holds(asOf, now)] : [];
  if (after !== null) {
    conditions.push(sql`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`);
  }
  return memoriesThatPass(companyId, ofTenant, conditions);
}

/** How many memories pass the filter, as far as its limit. */
export async function countListed(db: AccountDb, filter: MemoryFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 ${listed(db, filter)} limit ${filter.limit}) as listed`.execute(
    db,
  );
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
interface StoredRow extends MemoryRow, ProvenanceRow {
  readonly place: number;
  readonly stated_at: Instant;
  readonly category: string | null;
}

/** The first of these, of `maxTextBytes` or one alone. `looked`: how many are found or gone. */
export async function findFirstMemories(
  db: AccountDb,
  ids: readonly MemoryId[],
  maxTextBytes: number,
) {
  const found = sql<StoredRow>`
    select place, ${memoryColumns}, ${provenanceColumns}, category,
      coalesce(stated_at, valid_from) as stated_at, ${textBytes} as text_bytes
    from unnest(${uuidsOf(ids)}) with ordinality as wanted (id, place)
    join memories on memories.company_id = ${db.companyId} and memories.id = wanted.id`;
  const limits = { limit: ids.length, maxTextBytes };
  const { rows, hasMore } = await selectPage(db, found, sql`order by place`, limits);
  const looked = hasMore ? (rows.at(-1)?.place ?? 0) : ids.length;
  return { rows, memories: rows.map(toMemory), looked };
}

/** As many are looked at for a profile, of those that matter most. */
const MAX_STANDING_MEMORIES = 200;
/** And so much of each of them. */
const MAX_STANDING_CHARACTERS = 1_000;

/**
 * What tenants are: their memories that the function `is_standing` of the database says so of
 * (D46), what matters most first, and of what matters as much the oldest. They come as one text:
 * rows take longer to read.
 */
export async function selectStandingMemories(
  db: AccountDb,
  filter: Omit<MemorySearch, "vector" | "terms" | "space" | "limit">,
) {
  const isStanding = sql<boolean>`is_standing(importance_score, topic, attribute)`;
  const conditions = [isStanding, holds(filter.asOf, filter.now)];
  // As text: JSON has no numbers of 64 bits.
  const micros = (time: string) => sql.raw(`(extract(epoch from ${time}) * 1000000)::int8::text`);
  const { rows } = await sql<{ facts: [MemoryId, string | null, string, string, string | null][] }>`
    select json_agg(fact) as facts from (
      select json_build_array(id, nullif(tenant_id, ${DEFAULT_TENANT}),
        left(decision, ${MAX_STANDING_CHARACTERS}), ${micros("valid_from")}, ${micros("valid_to")}) as fact
      ${memoriesThatPass(db.companyId, filter, conditions)}
      order by importance_score desc, id
      limit ${MAX_STANDING_MEMORIES}
    ) as standing`.execute(db);
  return (rows[0]?.facts ?? []).map(([id, tenantId, decision, from, to]): BlockFact => {
    const validTo = to === null ? null : BigInt(to);
    return { id, tenantId, decision, validFrom: BigInt(from), validTo };
  });
}

/** The values that are asked for; an empty prefix: any. */
export interface KnownValuesQuery {
  readonly field: KnownValueField;
  readonly prefix: string;
  /** null: the default tenant. */
  readonly tenantId: string | null;
}

/** The values that most of the newest memories of a tenant have, those that begin so. */
export async function selectKnownValues(
  db: AccountDb,
  { field, tenantId, prefix }: KnownValuesQuery,
): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select value
    from (
      select ${sql.ref(field)} as value from memories
      where company_id = ${db.companyId} and tenant_id = ${toTenantColumn(tenantId)}
      order by created_at desc, id desc
      limit ${MEMORIES_WITH_KNOWN_VALUES}
    ) as newest
    where starts_with(lower(value), lower(${prefix}::text))
    group by value
    order by count(*) desc, value
    limit ${MAX_KNOWN_VALUES}`.execute(db);
  return rows.map(({ value }) => value);
}

export interface ChangeQuery {
  /** null: the default tenant. */
  readonly tenantId: string | null;
  readonly after: Instant;
  readonly until: Instant;
  /** By when the service was told, and not by when it was true. */
  readonly isByLearning: boolean;
}

/** When memories began or ceased to hold, newest first. What never held is left out. */
export async function selectChanges(
  db: AccountDb,
  { tenantId, after, until, isByLearning, ...limits }: ChangeQuery & PageLimits,
) {
  const [start, end, hasHeld] = isByLearning
    ? [sql`created_at`, sql`superseded_at`, sql`true`]
    : [sql`valid_from`, sql`valid_to`, sql`(valid_to is null or valid_to > valid_from)`];
  const found = sql<MemoryRow & { readonly at: Instant; readonly is_beginning: boolean }>`
    select ${memoryColumns}, at, is_beginning, ${textBytes} as text_bytes
    from memories
    cross join lateral (values (${start}, true), (${end}, false)) as change (at, is_beginning)
    where company_id = ${db.companyId} and tenant_id = ${toTenantColumn(tenantId)}
      and at > ${after}::timestamptz and at <= ${until}::timestamptz and ${hasHeld}`;
  const newestFirst = sql`order by at desc, is_beginning desc, id`;
  const { rows, hasMore } = await selectPage(db, found, newestFirst, limits);
  const changes = rows.map((row) => ({
    at: row.at,
    isBeginning: row.is_beginning,
    memory: toMemory(row),
  }));
  return { changes, hasMore };
}
