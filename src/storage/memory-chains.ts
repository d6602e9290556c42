import { sql } from "kysely";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { type FoundMemories, type PageLimits, pageOf, textBytes } from "./memory-page.ts";
import { type MemoryRow, memoryColumns, toMemory, uuidsOf } from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";

// Each step of the walks below is a `lateral` of its own, because a planner that
// knows nothing of a recursion's size would read the whole table at every step.
// `union` drops what was seen before, so that no walk is endless.

/**
 * A table expression: memories, and all that follow each along `superseded_by`. No ID, or one
 * that the account does not have: nothing.
 */
export function successorsOf(companyId: CompanyId, ids: readonly MemoryId[]) {
  return sql`successors (root_id, id, superseded_by, valid_from) as (
    select id, id, superseded_by, valid_from from memories
    where company_id = ${companyId} and id = any(${uuidsOf(ids)})
    union
    select successors.root_id, next.id, next.superseded_by, next.valid_from
    from successors
    cross join lateral (
      select memories.id, memories.superseded_by, memories.valid_from from memories
      where memories.company_id = ${companyId} and memories.id = successors.superseded_by
      offset 0
    ) as next
  )`;
}

export interface ChainPage extends PageLimits {
  /** Only versions behind this one in the order of the chain. */
  readonly after: {
    readonly validFrom: Instant;
    readonly createdAt: Instant;
    readonly id: MemoryId;
  } | null;
}

export interface FoundVersions extends FoundMemories {
  /** Of the whole chain; 0: the account has no such memory. */
  readonly chainLength: number;
}

/** Of a version, what its place on a page is decided by: a chain may be far longer than a page. */
const placeColumns = sql`memories.id, memories.valid_from, memories.created_at,
  ${textBytes} as text_bytes`;

const oldestFirst = sql`order by valid_from, created_at, id`;

/**
 * The versions of the chain of a memory (D18: of a merge, of all branches), by
 * valid_from, created_at, ID, as many as the limits of the page allow (D37).
 */
export async function findVersions(
  db: AccountDb,
  id: MemoryId,
  page: ChainPage,
): Promise<FoundVersions> {
  const { after } = page;
  const isBehind =
    after === null
      ? sql`true`
      : sql`(valid_from, created_at, id)
          > (${after.validFrom}::timestamptz, ${after.createdAt}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<VersionRow>`
    with recursive ${successorsOf(db.companyId, [id])},
    chain (id, valid_from, created_at, text_bytes) as (
      select head.*
      from successors
      cross join lateral (
        select ${placeColumns} from memories
        where memories.company_id = ${db.companyId} and memories.id = successors.id
        offset 0
      ) as head
      where successors.superseded_by is null
      union
      select replaced.*
      from chain
      cross join lateral (
        select ${placeColumns} from memories
        where memories.company_id = ${db.companyId} and memories.superseded_by = chain.id
        offset 0
      ) as replaced
    ),
    candidates as (
      ${pageOf(sql`select id, valid_from, created_at, text_bytes from chain where ${isBehind}`, oldestFirst, page)}
    )
    select chain_length, has_more, version.*
    from (select count(*)::int as chain_length from chain) as whole
    left join candidates on true
    left join lateral (
      select ${memoryColumns} from memories
      where memories.company_id = ${db.companyId} and memories.id = candidates.id
      offset 0
    ) as version on true
    order by candidates.valid_from, candidates.created_at, candidates.id`.execute(db);
  const versions = rows.filter((row) => row.id !== null);
  return {
    memories: versions.map(toMemory),
    hasMore: versions.at(-1)?.has_more ?? false,
    chainLength: rows[0]?.chain_length ?? 0,
  };
}

/** Without a version: the page has none. */
type VersionRow = { readonly chain_length: number } & (
  | (MemoryRow & { readonly has_more: boolean })
  | { readonly id: null }
);
