import { sql } from "kysely";
import type { Instant } from "../domain/instant.ts";
import type { Memory } from "../domain/memory.ts";
import { embeddingModelReplaced, findActiveSpace, type SpaceVector } from "./embedding-spaces.ts";
import { type MemoryRow, memoryColumns, toMemory } from "./memory-row.ts";
import type { Executor } from "./schema.ts";
import { toTenantColumn } from "./tenant-column.ts";
import { vectorParameter } from "./vector-parameter.ts";

export interface VectorSearch {
  readonly companyId: string;
  readonly tenantId: string | null;
  /** null: every source. */
  readonly sources: readonly string[] | null;
  /** Only memories that hold from this moment or earlier; null: any. */
  readonly validFromAtMost: Instant | null;
  readonly now: Instant;
  readonly vector: SpaceVector;
  readonly limit: number;
}

export interface SimilarMemory {
  readonly memory: Memory;
  /** Cosine similarity, clipped to 0 and 1. */
  readonly similarity: number;
}

/**
 * The current memories nearest to a vector, most similar first, newest first
 * among equals. Exact: the filters apply before similarity, and the answer is
 * what a full sort would give. null: the vector is of a space that is not the
 * active one, or no longer, and so not every memory has a vector in it.
 */
export async function findSimilarMemories(
  db: Executor,
  search: VectorSearch,
): Promise<SimilarMemory[] | null> {
  const { companyId, sources, validFromAtMost, now, vector, limit } = search;
  const ofSources = sources === null ? sql`` : sql`and source = any(${sources}::text[])`;
  const heldThen = validFromAtMost === null ? sql`` : sql`and valid_from <= ${validFromAtMost}`;
  // The vector is cast once, in a sub-select: as a bare parameter, a generic plan
  // would cast it for each row.
  const { rows } = await sql<MemoryRow & { distance: number }>`
    with nearest as (
      select memory_id, embedding <=> (select ${vectorParameter(vector.vector)}::vector) as distance
      from memory_vectors
      where company_id = ${companyId}
        and tenant_id = ${toTenantColumn(search.tenantId)}
        and space_id = (
          select id from embedding_spaces where id = ${vector.spaceId} and is_active
        )
        and not is_superseded
        and (valid_to is null or valid_to > ${now})
        ${ofSources}
        ${heldThen}
      order by distance, memory_id desc
      limit ${limit}
    )
    select ${memoryColumns}, nearest.distance
    from nearest
    join memories on memories.company_id = ${companyId} and memories.id = nearest.memory_id
    order by nearest.distance, memories.id desc`.execute(db);
  if (rows.length === 0 && (await findActiveSpace(db)).id !== vector.spaceId) return null;
  return rows.map((row) => ({
    memory: toMemory(row),
    similarity: Math.min(1, Math.max(0, 1 - row.distance)),
  }));
}

interface MemoryWithVectors {
  readonly memory: Memory;
  /** At most one for each space. */
  readonly vectors: readonly SpaceVector[];
}

/**
 * Stores the vectors of memories. Throws `model_unavailable` when a memory has
 * none in the active space: it would be missing from every answer.
 *
 * No cut over to another space comes between this check and the commit: until
 * then the transaction holds a lock of the table, which a cut over waits for.
 */
export async function insertVectors(
  trx: Executor,
  memories: readonly MemoryWithVectors[],
): Promise<void> {
  const rows = memories.flatMap(({ memory, vectors }) =>
    vectors.map(
      ({ spaceId, vector }) => sql`(
        ${memory.companyId}, ${memory.id}::uuid, ${spaceId}::integer,
        ${toTenantColumn(memory.tenantId)}, ${memory.source}, ${memory.validFrom}::timestamptz,
        ${memory.validTo}::timestamptz, ${memory.supersededAt !== null}::boolean,
        ${vectorParameter(vector)}::vector
      )`,
    ),
  );
  if (rows.length === 0) throw embeddingModelReplaced();
  const { rows: counts } = await sql<{ stored: number; active: number }>`
    with stored as (
      insert into memory_vectors (
        company_id, memory_id, space_id, tenant_id, source, valid_from, valid_to, is_superseded,
        embedding
      )
      select new.*
      from (values ${sql.join(rows)}) as new (
        company_id, memory_id, space_id, tenant_id, source, valid_from, valid_to, is_superseded,
        embedding
      )
      join embedding_spaces as space
        on space.id = new.space_id and space.dimensions = vector_dims(new.embedding)
      returning space_id
    )
    select count(*) as stored, count(*) filter (where space.is_active) as active
    from stored
    join embedding_spaces as space on space.id = stored.space_id`.execute(trx);
  if (counts[0]?.stored !== rows.length) {
    throw new Error("A vector is not of the embedding space that it is meant for");
  }
  if (counts[0].active !== memories.length) throw embeddingModelReplaced();
}

/** Keeps the vectors in step with their memory: those of a superseded one are out of every search. */
export async function setVectorEnd(
  trx: Executor,
  companyId: string,
  memoryId: string,
  end: { readonly validTo: Instant | null; readonly isSuperseded: boolean },
): Promise<void> {
  await trx
    .updateTable("memory_vectors")
    .set({ valid_to: end.validTo, is_superseded: end.isSuperseded })
    .where("company_id", "=", companyId)
    .where("memory_id", "=", memoryId)
    .execute();
}
