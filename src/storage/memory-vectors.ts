import { sql } from "kysely";
import { USER_NAME_ATTRIBUTE } from "../domain/attribute.ts";
import type { Candidate, RankedCandidate } from "../domain/auto-supersession.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { vectorOf, vectorParameter } from "./column-values.ts";
import type { SpaceVector } from "./embedding-spaces.ts";
import { holds } from "./memory-filters.ts";
import { similarityOf, toTenantColumn } from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";
import { isCurrent } from "./search-scope.ts";

export interface CandidateSearch {
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
  /** Memories about one of these are found however similar. */
  readonly attributes: readonly string[];
  /** Only memories that were stated at this moment or earlier. */
  readonly statedAtMost: Instant;
}

export interface StoredCandidate extends RankedCandidate {
  /** The category that the extraction put it in; null: in none. */
  readonly category: string | null;
  /** In the space of the facts. */
  readonly vector: Float32Array;
}

/** Of more than one name none counts. */
const MAX_NAMING_MEMORIES = 4;
/** Each is a scan of the scope; while a statement runs, others may wait for its connection. */
const MAX_FACTS_A_STATEMENT = 5;

/**
 * For each fact, in order, the current memories about the same attribute, the newest of them, and
 * those nearest to it; and the texts of the tenant's current memories that give the user a name,
 * the newest first. null: their space is not the active one, or no longer.
 */
export async function findCandidates(db: AccountDb, search: CandidateSearch) {
  const ofFacts: StoredCandidate[][] = [];
  let naming: readonly string[] = [];
  for (let start = 0; start < search.facts.length; start += MAX_FACTS_A_STATEMENT) {
    const facts = search.facts.slice(start, start + MAX_FACTS_A_STATEMENT);
    const rows = await findCandidatesAtOnce(db, { ...search, facts });
    const [first] = rows;
    if (first === undefined) return null;
    naming = first.naming;
    const candidatesOf = (position: number) =>
      rows.flatMap(({ position: of, id, decision, topic, statedAt, category, ...row }) => {
        if (of !== position || id === null) return [];
        const candidate = { id, decision, topic, statedAt };
        const [similarity, vector] = [similarityOf(row.distance), vectorOf(row.embedding)];
        return { candidate, similarity, hasSameAttribute: row.isAlike, category, vector };
      });
    ofFacts.push(...facts.map((_, position) => candidatesOf(position)));
  }
  return { ofFacts, naming };
}

async function findCandidatesAtOnce(
  db: AccountDb,
  { tenantId, now, facts, limit, minSimilarity }: CandidateSearch,
): Promise<readonly CandidateRow[]> {
  const [first] = facts;
  if (first === undefined) return [];
  const asked = facts.map(
    ({ vector, attributes, statedAtMost }, position) => sql`(
      ${position}::int, ${vectorParameter(vector.vector)}::vector, ${attributes}::text[],
      ${statedAtMost}::timestamptz
    )`,
  );
  const { spaceId } = first.vector;
  const scope = { tenantIds: [tenantId], now, vector: first.vector };
  // The row of each ID is looked up by itself: a join would read all of an account that the
  // statistics do not know yet. A memory holds from when it was stated, or earlier. Of a fact
  // that nothing is near to there is a row without a memory, while the space is the active one.
  const { rows } = await sql<CandidateRow>`
    select asked.position, near.distance, memory.*,
      coalesce(memory.attribute = any(asked.attributes), false) as "isAlike",
      array(
        select decision from memories
        where company_id = ${db.companyId} and tenant_id = ${toTenantColumn(tenantId)}
          and attribute = ${USER_NAME_ATTRIBUTE} and ${holds(null, now)}
        order by id desc
        limit ${MAX_NAMING_MEMORIES}
      ) as naming
    from embedding_spaces as space
    cross join (values ${sql.join(asked)}) as asked (position, embedding, attributes, stated_at)
    left join lateral (
      (
        select memory_id, distance
        from (
          select memory_id, memory_vectors.embedding <=> asked.embedding as distance
          from memory_vectors
          where ${isCurrent(db.companyId, scope)}
            and memory_vectors.valid_from <= asked.stated_at
          offset 0
        ) as scanned
        where distance <= ${1 - minSimilarity}
        order by distance, memory_id desc
        limit ${limit}
      )
      union
      select alike.id, its.distance
      from (
        select id from memories
        where memories.company_id = ${db.companyId}
          and memories.tenant_id = ${toTenantColumn(tenantId)}
          and memories.attribute = any(asked.attributes)
          and memories.superseded_at is null
          and coalesce(memories.stated_at, memories.valid_from) <= asked.stated_at
        order by id desc
        limit ${limit}
      ) as alike
      cross join lateral (
        select memory_vectors.embedding <=> asked.embedding as distance
        from memory_vectors
        where memory_vectors.company_id = ${db.companyId}
          and memory_vectors.memory_id = alike.id
          and memory_vectors.space_id = ${spaceId}
          and (memory_vectors.valid_to is null or memory_vectors.valid_to > ${now})
        offset 0
      ) as its
    ) as near on true
    left join lateral (
      select memories.id, memories.decision, memories.topic, memories.attribute,
        memories.category, coalesce(memories.stated_at, memories.valid_from) as "statedAt",
        (
          select vector_send(memory_vectors.embedding) from memory_vectors
          where memory_vectors.company_id = ${db.companyId}
            and memory_vectors.memory_id = near.memory_id
            and memory_vectors.space_id = ${spaceId}
        ) as embedding
      from memories
      where memories.company_id = ${db.companyId} and memories.id = near.memory_id
        and coalesce(memories.stated_at, memories.valid_from) <= asked.stated_at
      offset 0
    ) as memory on true
    where space.id = ${spaceId} and space.is_active
    order by asked.position, near.distance, memory.id desc`.execute(db);
  return rows;
}

/** Of a fact that nothing is near to: no `id`. */
interface CandidateRow extends Omit<Candidate, "id"> {
  readonly id: MemoryId | null;
  readonly category: string | null;
  /** Of the fact that was asked about, from 0. */
  readonly position: number;
  readonly distance: number;
  readonly embedding: Uint8Array;
  readonly isAlike: boolean;
  readonly naming: readonly string[];
}
