import type { EmbeddingSpace } from "../domain/embedding.ts";
import type { Instant } from "../domain/instant.ts";
import type { Memory, Provenance } from "../domain/memory.ts";
import type { SupersessionChange } from "../domain/supersession.ts";
import type { SpaceVector } from "./embedding-spaces.ts";
import {
  fromMemory,
  MEMORY_COLUMNS,
  PROVENANCE_COLUMNS,
  toMemory,
  toProvenance,
} from "./memory-row.ts";
import { insertVectors, setVectorEnd } from "./memory-vectors.ts";
import type { Executor } from "./schema.ts";

export { findChain, findChainHeadId } from "./memory-chains.ts";
export { deleteMemories } from "./memory-erasure.ts";
export { listMemories, type MemoryFilter } from "./memory-list.ts";

export interface NewMemory {
  readonly memory: Memory;
  readonly provenance: Provenance;
  /** One in the active embedding space, and one in the next where there is one. */
  readonly vectors: readonly SpaceVector[];
}

/** Far below the 65,535 parameters that one statement may have. */
const MAX_ROWS_A_STATEMENT = 500;

/**
 * Stores memories of one account with their vectors. Throws `model_unavailable`
 * when one has no vector in the active embedding space, and an Error when a
 * vector does not have the dimensions of its space.
 */
export async function insertMemories(trx: Executor, memories: readonly NewMemory[]): Promise<void> {
  for (let start = 0; start < memories.length; start += MAX_ROWS_A_STATEMENT) {
    const batch = memories.slice(start, start + MAX_ROWS_A_STATEMENT);
    await trx
      .insertInto("memories")
      .values(batch.map(({ memory, provenance }) => fromMemory(memory, provenance)))
      .execute();
    await insertVectors(trx, batch);
  }
}

/** null: the account has no such memory. */
export async function findMemory(
  db: Executor,
  companyId: string,
  id: string,
): Promise<Memory | null> {
  const row = await db
    .selectFrom("memories")
    .select(MEMORY_COLUMNS)
    .where("company_id", "=", companyId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : toMemory(row);
}

/**
 * Whether any account has the memory; only to tell 403 from 404 once findMemory missed.
 *
 * Across accounts: another account's is what is looked for.
 */
export async function memoryExists(db: Executor, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("memories")
    .select("id")
    .where("id", "=", id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the account's memories of these IDs in ID order; IDs it does not have are left out. */
export async function lockMemories(
  trx: Executor,
  companyId: string,
  ids: readonly string[],
): Promise<Memory[]> {
  const rows = await trx
    .selectFrom("memories")
    .select(MEMORY_COLUMNS)
    .where("company_id", "=", companyId)
    .where(({ eb, fn, val }) => eb("id", "=", fn.any(val(ids))))
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(toMemory);
}

/** Ends a locked memory that is not superseded yet, and its vector. */
export async function markSuperseded(
  trx: Executor,
  companyId: string,
  id: string,
  change: SupersessionChange,
): Promise<void> {
  const result = await trx
    .updateTable("memories")
    .set({
      valid_to: change.validTo,
      superseded_by: change.supersededBy,
      superseded_at: change.supersededAt,
    })
    .where("company_id", "=", companyId)
    .where("id", "=", id)
    .where("superseded_at", "is", null)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) throw new Error(`Memory ${id} can't be superseded again`);
  await setVectorEnd(trx, companyId, id, { validTo: change.validTo, isSuperseded: true });
}

/** Takes back the supersession of a locked memory; `validTo`: the end it had before. */
export async function markRestored(
  trx: Executor,
  companyId: string,
  id: string,
  validTo: Instant | null,
): Promise<void> {
  const result = await trx
    .updateTable("memories")
    .set({ valid_to: validTo, superseded_by: null, superseded_at: null })
    .where("company_id", "=", companyId)
    .where("id", "=", id)
    .where("superseded_at", "is not", null)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) throw new Error(`Memory ${id} is not superseded`);
  await setVectorEnd(trx, companyId, id, { validTo, isSuperseded: false });
}

export interface MemoryRecord {
  readonly memory: Memory;
  readonly provenance: Provenance;
  /** The active space, in which every memory has its vector. */
  readonly embedding: EmbeddingSpace;
}

/** null: the account has no such memory. */
export async function findMemoryRecord(
  db: Executor,
  companyId: string,
  id: string,
): Promise<MemoryRecord | null> {
  const row = await db
    .selectFrom("memories")
    .innerJoin("embedding_spaces", (join) => join.on("embedding_spaces.is_active", "=", true))
    .select(MEMORY_COLUMNS)
    .select(PROVENANCE_COLUMNS)
    .select(["embedding_spaces.provider", "embedding_spaces.model", "embedding_spaces.dimensions"])
    .where("memories.company_id", "=", companyId)
    .where("memories.id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { provider, model, dimensions } = row;
  return {
    memory: toMemory(row),
    provenance: toProvenance(row),
    embedding: { provider, model, dimensions },
  };
}
