import { type RawBuilder, sql } from "kysely";
import type { EmbeddingSpace } from "../domain/embedding.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { MemoryFilters } from "../domain/memory-filters.ts";
import type { SpaceVector } from "./embedding-spaces.ts";
import type { Places } from "./kept-statement.ts";
import {
  holds,
  isFiltered,
  isInSession,
  memoriesKnownAt,
  passesFilters,
} from "./memory-filters.ts";
import { toTenantColumn } from "./memory-row.ts";

/** What is searched for, and where. */
export interface MemorySearch extends MemoryFilters {
  readonly tenantId: string | null;
  /** null: every source. */
  readonly sources: readonly string[] | null;
  /** When it is answered: now, or as it would have been at `knownAt`. */
  readonly now: Instant;
  readonly vector: SpaceVector;
  /** Numbers of the question's terms, each once, in order. */
  readonly terms: readonly number[];
  /** The space of the vector: what weighs words and cosines depends on it. */
  readonly space: Pick<EmbeddingSpace, "provider">;
  readonly limit: number;
}

/** What a statement is told of where it looks. */
export interface ScopeValues {
  readonly companyId: CompanyId;
  readonly tenant: string;
  readonly sources: readonly string[] | null;
  readonly now: Instant;
  readonly spaceId: number;
}

export function scopeValues(companyId: CompanyId, search: MemorySearch): ScopeValues {
  const { tenantId, sources, now, vector } = search;
  return { companyId, tenant: toTenantColumn(tenantId), sources, now, spaceId: vector.spaceId };
}

/** Where a search looks, as parts of its statement. */
export interface SearchScope {
  /** Tables that the other parts name. */
  readonly tables: readonly RawBuilder<unknown>[];
  /** FROM and WHERE of the vectors of the scope, while their space is the active one. */
  readonly vectors: RawBuilder<unknown>;
  /**
   * FROM and WHERE of those that tell how the scope is, where `vectors` are not all of it;
   * null: they are.
   */
  readonly sample: RawBuilder<unknown> | null;
  /** Whether some of it may be neighbours in a conversation; null: none are. */
  readonly hasConversations: RawBuilder<boolean | null>;
  /**
   * FROM of the memories on one side of `best` in its conversation, the nearest first: at
   * most `steps`, each with whether the scope `is_seen` to have it. A memory that does not
   * pass the filters is a step all the same.
   */
  neighbours(side: "before" | "after", steps: number): RawBuilder<unknown>;
}

/** Where a search looks: among what is current, or as its filters say (D40). */
export function scopeOf(
  companyId: CompanyId,
  search: MemorySearch,
  places: Places<ScopeValues>,
): SearchScope {
  return isFiltered(search)
    ? filteredScope(companyId, search, places)
    : currentScope(places, search.sources !== null);
}

const SIDES = {
  before: { order: sql`desc`, beyond: sql`<` },
  after: { order: sql`asc`, beyond: sql`>` },
};

/** All that it filters on stands with the vectors. */
export function currentScope(
  { companyId, tenant, sources, now, spaceId }: Places<ScopeValues>,
  isOfSources: boolean,
): SearchScope {
  const isSeen = sql`${isCurrent(now)}${isOfSources ? fromSources(sources) : sql``}`;
  return {
    tables: [],
    vectors: sql`from memory_vectors
      where company_id = ${companyId} and tenant_id = ${tenant}
        and space_id = ${activeSpace(spaceId)} and not is_superseded and ${isSeen}`,
    sample: null,
    // By the order of an index that has no others.
    hasConversations: sql`(
      select true from memory_vectors
      where company_id = ${companyId} and tenant_id = ${tenant}
        and space_id = ${spaceId} and not is_superseded and session_id is not null
      order by session_hash(session_id)
      limit 1
    )`,
    neighbours(side, steps) {
      const { order, beyond } = SIDES[side];
      return sql`from (
        select memory_id, embedding, terms, length, ${isSeen} as is_seen
        from memory_vectors
        where company_id = ${companyId} and tenant_id = ${tenant}
          and space_id = ${spaceId} and not is_superseded
          and ${isInSession(sql`best.session_id`)}
          and memory_id ${beyond} best.memory_id
        order by memory_id ${order}
        limit ${sql.raw(String(steps))}
      ) as other`;
    },
  };
}

/**
 * FROM of all memories of the same tenant that a conversation has as its steps, each with
 * whether the scope `is_seen` to have it.
 */
export function currentSteps(
  { companyId, tenant, sources, now, spaceId }: Places<ScopeValues>,
  isOfSources: boolean,
): RawBuilder<unknown> {
  return sql`from (
    select memory_id, session_id, embedding, terms, length,
      ${isCurrent(now)}${isOfSources ? fromSources(sources) : sql``} as is_seen
    from memory_vectors
    where company_id = ${companyId} and tenant_id = ${tenant}
      and space_id = ${activeSpace(spaceId)} and not is_superseded
  ) as step`;
}

/** Vectors that an index of the tenant's own is asked for: as many as it looks at. */
export const NEAREST_OF_INDEX = 200;
/** From which is estimated how near and how long memories are, and how rare words. */
const SAMPLED_VECTORS = 500;

/**
 * The same of a tenant with an index of its own: the memories that this finds to be nearest,
 * most of which are, and a sample of all. The index is named by its predicate, of values
 * that stand in the statement.
 */
export function nearestScope(
  places: Places<ScopeValues>,
  { predicate, direction }: { predicate: RawBuilder<boolean>; direction: RawBuilder<unknown> },
): SearchScope {
  const { companyId, tenant, now, spaceId } = places;
  const isOfScope = sql`company_id = ${companyId} and tenant_id = ${tenant}
    and space_id = ${spaceId} and not is_superseded and ${isCurrent(now)}`;
  return {
    ...currentScope(places, false),
    vectors: sql`from (
      select memory_id, embedding, terms, length from memory_vectors
      where ${predicate} and ${isOfScope}
      order by ${direction}
      limit ${sql.lit(NEAREST_OF_INDEX)}
    ) as nearest`,
    sample: sql`from (
      select embedding, terms, length from memory_vectors
      where ${isOfScope}
      limit ${sql.lit(SAMPLED_VECTORS)}
    ) as sampled`,
  };
}

/**
 * What it filters on stands with the memories, so that their IDs come first, and then the
 * vector of each. The steps of a conversation are those that the asked moment knows: of
 * what is current those that were not superseded, else all.
 */
function filteredScope(
  companyId: CompanyId,
  search: MemorySearch,
  { tenant, sources, spaceId }: Places<ScopeValues>,
): SearchScope {
  const { asOf, knownAt, now } = search;
  const memories = sql`${memoriesKnownAt(companyId, knownAt)} as memories
    where company_id = ${companyId} and tenant_id = ${tenant}`;
  const vectorOf = (id: RawBuilder<unknown>, space: RawBuilder<unknown>) => sql`(
    select memory_id, embedding, terms, length, session_id from memory_vectors
    where memory_vectors.company_id = ${companyId} and memory_vectors.memory_id = ${id}
      and memory_vectors.space_id = ${space}
    offset 0
  )`;
  return {
    tables: [
      sql`in_scope as materialized (
        select id from ${memories} and ${passesFilters(search)} and ${holds(asOf, now)}
          ${search.sources === null ? sql`` : fromSources(sources)}
      )`,
    ],
    vectors: sql`from in_scope
      cross join lateral ${vectorOf(sql`in_scope.id`, activeSpace(spaceId))} as vectors`,
    sample: null,
    hasConversations: sql`true`,
    neighbours(side, steps) {
      const { order, beyond } = SIDES[side];
      return sql`from (
        select id, id in (select id from in_scope) as is_seen
        from ${memories} and ${isInSession(sql`best.session_id`)}
          and id ${beyond} best.memory_id ${asOf === null ? sql`and superseded_at is null` : sql``}
        order by id ${order}
        limit ${sql.raw(String(steps))}
      ) as place
      cross join lateral ${vectorOf(sql`place.id`, spaceId)} as other`;
    },
  };
}

/** Of a vector that is not superseded. */
function isCurrent(now: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(valid_to is null or valid_to > ${now})`;
}

function fromSources(sources: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql` and source = any(${sources}::text[])`;
}

/** null: it is not the active one. */
function activeSpace(spaceId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select id from embedding_spaces where id = ${spaceId} and is_active)`;
}
