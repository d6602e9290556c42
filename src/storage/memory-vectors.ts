import { sql } from "kysely";
import type { Instant } from "../domain/instant.ts";
import type { Memory } from "../domain/memory.ts";
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
  readonly vector: readonly number[];
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
 * what a full sort would give.
 */
export async function findSimilarMemories(
  db: Executor,
  search: VectorSearch,
): Promise<SimilarMemory[]> {
  const { companyId, sources, validFromAtMost, now, vector, limit } = search;
  const ofSources = sources === null ? sql`` : sql`and source = any(${sources}::text[])`;
  const heldThen = validFromAtMost === null ? sql`` : sql`and valid_from <= ${validFromAtMost}`;
  // The vector is cast once, in a sub-select: as a bare parameter, a generic plan
  // would cast it for each row.
  const { rows } = await sql<MemoryRow & { distance: number }>`
    with nearest as (
      select memory_id, embedding <=> (select ${vectorParameter(vector)}::vector) as distance
      from memory_vectors
      where company_id = ${companyId}
        and tenant_id = ${toTenantColumn(search.tenantId)}
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
  return rows.map((row) => ({
    memory: toMemory(row),
    similarity: Math.min(1, Math.max(0, 1 - row.distance)),
  }));
}

interface MemoryWithVector {
  readonly memory: Memory;
  readonly embedding: readonly number[];
}

/** Stores the vectors of memories in the database's embedding space, in one statement. */
export async function insertVectors(
  trx: Executor,
  memories: readonly MemoryWithVector[],
): Promise<void> {
  const rows = memories.map(
    ({ memory, embedding }) => sql`(
      ${memory.companyId}, ${memory.id}::uuid, ${toTenantColumn(memory.tenantId)},
      ${memory.source}, ${memory.validFrom}::timestamptz, ${memory.validTo}::timestamptz,
      ${memory.supersededAt !== null}::boolean, ${vectorParameter(embedding)}::vector
    )`,
  );
  const inserted = await sql`
    insert into memory_vectors (
      company_id, memory_id, tenant_id, source, valid_from, valid_to, is_superseded,
      embedding, embedding_provider, embedding_model
    )
    select new.*, space.provider, space.model
    from (values ${sql.join(rows)}) as new (
      company_id, memory_id, tenant_id, source, valid_from, valid_to, is_superseded, embedding
    )
    join embedding_space as space on space.dimensions = vector_dims(new.embedding)`.execute(trx);
  if (inserted.numAffectedRows !== BigInt(memories.length)) {
    throw new Error("A vector is not of the embedding space that the database was claimed for");
  }
}

/** Keeps the vector in step with its memory: a superseded one is out of every search. */
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
