import { type RawBuilder, sql } from "kysely";
import type { Candidate } from "../domain/auto-supersession.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { RetrievedMemory } from "../domain/memory.ts";
import { vectorParameter } from "./column-values.ts";
import type { SpaceVector } from "./embedding-spaces.ts";
import { type MemoryRow, memoryColumns, toMemory, toTenantColumn } from "./memory-row.ts";
import type { Executor } from "./schema.ts";

// The searches below look up each memory that they found in a `lateral` of its own: a
// planner that does not know yet how many memories an account has would read all of
// them, and repeat the search for each.

export interface VectorSearch {
  readonly companyId: CompanyId;
  readonly tenantId: string | null;
  /** null: every source. */
  readonly sources: readonly string[] | null;
  readonly now: Instant;
  readonly vector: SpaceVector;
  readonly limit: number;
}

/**
 * The current memories nearest to a vector, most similar first, newest first
 * among equals. Exact: the filters apply before similarity, and the answer is
 * what a full sort would give. null: the vector is of a space that is not the
 * active one, or no longer, and so not every memory has a vector in it.
 */
export async function findSimilarMemories(
  db: Executor,
  { companyId, tenantId, sources, now, vector, limit }: VectorSearch,
): Promise<RetrievedMemory[] | null> {
  const ofSources = sources === null ? sql`` : sql`and source = any(${sources}::text[])`;
  // The vector is cast once, in a sub-select: as a bare parameter, a generic plan
  // would cast it for each row. One row without a memory says that the space is
  // active and that nothing was found.
  const { rows } = await sql<MemoryRow & { distance: number | null }>`
    with nearest as (
      select memory_id, embedding <=> (select ${vectorParameter(vector.vector)}::vector) as distance
      from memory_vectors
      where ${inScope(companyId, tenantId, vector.spaceId, now)}
        ${ofSources}
      order by distance, memory_id desc
      limit ${limit}
    )
    select memory.*, nearest.distance
    from embedding_spaces as space
    left join nearest on true
    left join lateral (
      select ${memoryColumns} from memories
      where memories.company_id = ${companyId} and memories.id = nearest.memory_id
      offset 0
    ) as memory on true
    where space.id = ${vector.spaceId} and space.is_active
    order by nearest.distance, memory.id desc`.execute(db);
  if (rows.length === 0) return null;
  return rows.flatMap((row) =>
    row.distance === null ? [] : { memory: toMemory(row), similarity: toSimilarity(row.distance) },
  );
}

export interface CandidateSearch {
  readonly companyId: CompanyId;
  readonly tenantId: string | null;
  readonly now: Instant;
  /** All of one embedding space. */
  readonly facts: readonly CandidateQuestion[];
  /** Of each fact. */
  readonly limit: number;
  readonly minSimilarity: number;
}

export interface CandidateQuestion {
  readonly vector: SpaceVector;
  /** Only memories that hold from this moment or earlier. */
  readonly validFromAtMost: Instant;
}

/** A memory that a new fact may replace. */
export interface RankedCandidate {
  readonly candidate: Candidate;
  /** Cosine similarity, clipped to 0 and 1. */
  readonly similarity: number;
}

/** Each is a scan of the scope; more of them would meet the deadline of a statement. */
const MAX_FACTS_A_STATEMENT = 25;

/**
 * For each fact, in order, the current memories nearest to it, most similar first.
 * null: their space is not the active one, or no longer.
 */
export async function findCandidates(
  db: Executor,
  search: CandidateSearch,
): Promise<RankedCandidate[][] | null> {
  const found: RankedCandidate[][] = [];
  for (let start = 0; start < search.facts.length; start += MAX_FACTS_A_STATEMENT) {
    const facts = search.facts.slice(start, start + MAX_FACTS_A_STATEMENT);
    const candidates = await findCandidatesAtOnce(db, { ...search, facts });
    if (candidates === null) return null;
    found.push(...candidates);
  }
  return found;
}

async function findCandidatesAtOnce(
  db: Executor,
  { companyId, tenantId, now, facts, limit, minSimilarity }: CandidateSearch,
): Promise<RankedCandidate[][] | null> {
  const [first] = facts;
  if (first === undefined) return [];
  const asked = facts.map(
    ({ vector, validFromAtMost }, position) => sql`(
      ${position}::int, ${vectorParameter(vector.vector)}::vector, ${validFromAtMost}::timestamptz
    )`,
  );
  // Of a fact that nothing is near to there is a row without a memory, while the space
  // is the active one.
  const { rows } = await sql<CandidateRow | { readonly position: number; readonly id: null }>`
    select asked.position, nearest.distance, memory.id, memory.decision, memory.topic,
      memory.valid_from
    from embedding_spaces as space
    cross join (values ${sql.join(asked)}) as asked (position, embedding, valid_from)
    left join lateral (
      select memory_id, memory_vectors.embedding <=> asked.embedding as distance
      from memory_vectors
      where ${inScope(companyId, tenantId, first.vector.spaceId, now)}
        and memory_vectors.valid_from <= asked.valid_from
        and memory_vectors.embedding <=> asked.embedding <= ${1 - minSimilarity}
      order by distance, memory_id desc
      limit ${limit}
    ) as nearest on true
    left join lateral (
      select id, decision, topic, valid_from from memories
      where memories.company_id = ${companyId} and memories.id = nearest.memory_id
      offset 0
    ) as memory on true
    where space.id = ${first.vector.spaceId} and space.is_active
    order by asked.position, nearest.distance, memory.id desc`.execute(db);
  if (rows.length === 0) return null;
  return facts.map((_, position) =>
    rows.flatMap((row) => (row.position === position && row.id !== null ? toCandidate(row) : [])),
  );
}

interface CandidateRow extends Pick<MemoryRow, "id" | "decision" | "topic" | "valid_from"> {
  /** Of the fact that was asked about, from 0. */
  readonly position: number;
  readonly distance: number;
}

function toCandidate({ id, decision, topic, valid_from, distance }: CandidateRow): RankedCandidate {
  return {
    candidate: { id, decision, topic, validFrom: valid_from },
    similarity: toSimilarity(distance),
  };
}

/** The vectors of a tenant's current memories, in a space while it is the active one. */
function inScope(
  companyId: CompanyId,
  tenantId: string | null,
  spaceId: number,
  now: Instant,
): RawBuilder<boolean> {
  return sql<boolean>`company_id = ${companyId}
    and tenant_id = ${toTenantColumn(tenantId)}
    and space_id = (select id from embedding_spaces where id = ${spaceId} and is_active)
    and not is_superseded
    and (valid_to is null or valid_to > ${now})`;
}

function toSimilarity(distance: number): number {
  return Math.min(1, Math.max(0, 1 - distance));
}
