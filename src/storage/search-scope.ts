import { type RawBuilder, sql } from "kysely";
import type { EmbeddingSpace } from "../domain/embedding.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { MemoryFilters } from "../domain/memory.ts";
import { type IndexedVectors, indexOrderOf, NEAREST_OF_INDEX } from "./account-indexes.ts";
import type { SpaceVector } from "./embedding-spaces.ts";
import {
  holds,
  isFiltered,
  isFromSources,
  type MemoriesScope,
  memoriesKnownAt,
  memoriesThatPass,
} from "./memory-filters.ts";
import { isOfTenants } from "./memory-row.ts";

export interface MemorySearch extends MemoryFilters, MemoriesScope {
  /** When it is answered: now, or as it would have been at `knownAt`. */
  readonly now: Instant;
  readonly vector: SpaceVector;
  /** Numbers of the question's terms, each once, in order. */
  readonly terms: readonly number[];
  /** The space of the vector: what weighs words and cosines depends on it. */
  readonly space: Pick<EmbeddingSpace, "provider">;
  readonly limit: number;
  /** With so many an approximate search is enough; undefined: `limit`. */
  readonly enough?: number | undefined;
  /** Beside the current ones: what held at this moment, or ever; undefined: no others (D12c). */
  readonly alsoHeld?: Instant | "ever" | undefined;
}

/** Whether it is about less, or about another time, than all that is current. */
export function isNarrowed(search: MemorySearch): boolean {
  return search.alsoHeld !== undefined || isFiltered(search);
}

/** The memories that a search ranks, as parts of its statement. */
export interface SearchScope {
  readonly companyId: CompanyId;
  readonly spaceId: number;
  /** Tables that `vectors` names. */
  readonly tables: readonly RawBuilder<unknown>[];
  /** The vectors of the scope in the active space, by FROM and WHERE; none in another space. */
  readonly vectors: RawBuilder<unknown>;
  /** Of a vector: what names its conversation. Tenants may have labels in common. */
  readonly session: RawBuilder<unknown>;
  /** Whether only rows with `is_sampled` count for the statistics: the scope is a part of more. */
  readonly isSampled: boolean;
  /** The table `memories`, as the search sees it. */
  readonly memories: RawBuilder<unknown>;
}

/**
 * All memories that are current, or that pass the filters (D40). What the scope of current ones
 * depends on is stored with the vectors. These have too few columns for filters: there the
 * memories pass them first.
 */
export function scopeOf(companyId: CompanyId, search: MemorySearch): SearchScope {
  const conditions = [isCurrent(companyId, search), ...isFromSources(search)];
  const current = {
    companyId,
    spaceId: search.vector.spaceId,
    tables: [],
    vectors: sql`from memory_vectors
  where ${sql.join(conditions, sql` and `)}`,
    session: sessionIn(search),
    isSampled: false,
    memories: sql`memories`,
  };
  if (!isNarrowed(search)) return current;
  return {
    ...current,
    tables: [
      sql`in_scope as materialized (
  select id ${memoriesThatPass(companyId, search, [heldOf(search)])}
)`,
    ],
    vectors: sql`from in_scope
  cross join lateral ${vectorJoin(companyId, search, sql`in_scope.id`)} as vectors`,
    memories: memoriesKnownAt(companyId, search.knownAt),
  };
}

function heldOf({ asOf, now, alsoHeld }: MemorySearch): RawBuilder<boolean> {
  if (alsoHeld === undefined) return holds(asOf, now);
  return alsoHeld === "ever" ? sql`true` : sql`(${holds(null, now)} or ${holds(alsoHeld, now)})`;
}

/** Vectors of a sample. Their distances, lengths and words stand for those of all. */
const SAMPLED_VECTORS = 500;

/**
 * The memories that indexes of tenants' own find to be nearest, those of the other tenants, and a
 * sample of all. An index is named by its predicate, of values that stand in the statement.
 */
export function indexedScope(
  companyId: CompanyId,
  search: MemorySearch,
  indexes: readonly IndexedVectors[],
): SearchScope {
  const tenantIds = search.tenantIds ?? [];
  const nearest = indexes.map((index) => {
    const { predicate, distance } = indexOrderOf(index, search.vector.vector);
    return sql`(
    select memory_id from memory_vectors
    where ${predicate} and ${isCurrent(companyId, search, [index.tenantId])}
    order by ${distance}
    limit ${sql.lit(NEAREST_OF_INDEX)}
  )`;
  });
  const others = tenantIds.filter((id) => indexes.every(({ tenantId }) => tenantId !== id));
  if (others.length > 0) {
    nearest.push(sql`(
    select memory_id from memory_vectors where ${isCurrent(companyId, search, others)}
  )`);
  }
  const samples = tenantIds.map(
    (tenantId) => sql`(
    select memory_id from memory_vectors
    where ${isCurrent(companyId, search, [tenantId])}
    limit ${sql.lit(Math.ceil(SAMPLED_VECTORS / tenantIds.length))}
  )`,
  );
  return {
    ...scopeOf(companyId, search),
    tables: [
      sql`nearest as materialized (
  ${sql.join(nearest, sql` union all `)}
)`,
      sql`sample as materialized (
  ${sql.join(samples, sql` union all `)}
)`,
    ],
    vectors: sql`from (
    select memory_id as id, bool_or(is_sampled) as is_sampled
    from (
      select memory_id, false as is_sampled from nearest
      union all
      select memory_id, true from sample
    ) as found
    group by memory_id
  ) as in_scope
  cross join lateral ${vectorJoin(companyId, search, sql`in_scope.id`)} as vectors`,
    isSampled: true,
  };
}

function vectorJoin(
  companyId: CompanyId,
  { vector: { spaceId } }: MemorySearch,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select memory_id, tenant_id, session_id, embedding, terms, length from memory_vectors
    where memory_vectors.company_id = ${companyId} and memory_vectors.memory_id = ${id}
      and memory_vectors.space_id = ${activeSpace(spaceId)}
    offset 0
  )`;
}

/** A vector of a current memory of the tenants, in the space that is searched. */
export function isCurrent(
  companyId: CompanyId,
  { tenantIds, now, vector }: Pick<MemorySearch, "tenantIds" | "now" | "vector">,
  of = tenantIds,
): RawBuilder<boolean> {
  return sql`company_id = ${companyId} and ${isOfTenants(of)}
    and space_id = ${activeSpace(vector.spaceId)}
    and not is_superseded and (valid_to is null or valid_to > ${now})`;
}

/** Of a vector. No tenant's name has a control character. */
function sessionIn({ tenantIds }: MemorySearch): RawBuilder<unknown> {
  return tenantIds?.length === 1 ? sql`session_id` : sql`tenant_id || chr(1) || session_id`;
}

/** null: it is not the active one. */
function activeSpace(spaceId: number): RawBuilder<unknown> {
  return sql`(select id from embedding_spaces where id = ${spaceId} and is_active)`;
}
