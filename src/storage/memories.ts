import { sql } from "kysely";
import type { EmbeddingSpace } from "../domain/embedding.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Memory, Provenance } from "../domain/memory.ts";
import { MEMORY_COLUMNS, PROVENANCE_COLUMNS, toMemory, toProvenance } from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";

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

/** null: the account has no such memory. */
export async function findMemory(db: AccountDb, id: MemoryId): Promise<Memory | null> {
  const row = await db
    .selectFrom("memories")
    .select(MEMORY_COLUMNS)
    .where("company_id", "=", db.companyId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : toMemory(row);
}

/** What an account has stored. */
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

export interface MemoryRecord {
  readonly memory: Memory;
  readonly provenance: Provenance;
  /** The active space, in which every memory has its vector. */
  readonly embedding: EmbeddingSpace;
}

/** null: the account has no such memory. */
export async function findMemoryRecord(db: AccountDb, id: MemoryId): Promise<MemoryRecord | null> {
  const row = await db
    .selectFrom("memories")
    .innerJoin("embedding_spaces", (join) => join.on("embedding_spaces.is_active", "=", true))
    .select(MEMORY_COLUMNS)
    .select(PROVENANCE_COLUMNS)
    .select(["embedding_spaces.provider", "embedding_spaces.model", "embedding_spaces.dimensions"])
    .where("memories.company_id", "=", db.companyId)
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
