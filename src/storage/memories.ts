import { sql } from "kysely";
import type { EmbeddingSpace } from "../domain/embedding.ts";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import type { Memory, Provenance } from "../domain/memory.ts";
import {
  MEMORY_COLUMNS,
  PROVENANCE_COLUMNS,
  toMemory,
  toProvenance,
  uuidsOf,
} from "./memory-row.ts";
import type { Executor, Trx } from "./schema.ts";

/**
 * Whether any account has the memory; only to tell 403 from 404 once a look-up
 * within the account missed.
 *
 * Across accounts: another account's is what is looked for.
 */
export async function memoryExists(db: Executor, id: MemoryId): Promise<boolean> {
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
  trx: Trx,
  companyId: CompanyId,
  ids: readonly MemoryId[],
): Promise<Memory[]> {
  const rows = await trx
    .selectFrom("memories")
    .select(MEMORY_COLUMNS)
    .where("company_id", "=", companyId)
    .where(sql<boolean>`id = any(${uuidsOf(ids)})`)
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(toMemory);
}

/**
 * Locks a memory of the account and the memory that replaced it, in ID order.
 * Empty when the account has no such memory.
 */
export async function lockWithReplacement(
  trx: Trx,
  companyId: CompanyId,
  id: MemoryId,
): Promise<Memory[]> {
  const rows = await trx
    .selectFrom("memories")
    .select(MEMORY_COLUMNS)
    .where("company_id", "=", companyId)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb("id", "=", id),
        eb(
          "id",
          "=",
          selectFrom("memories as replaced")
            .select("replaced.superseded_by")
            .where("replaced.company_id", "=", companyId)
            .where("replaced.id", "=", id),
        ),
      ]),
    )
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(toMemory);
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
  companyId: CompanyId,
  id: MemoryId,
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
