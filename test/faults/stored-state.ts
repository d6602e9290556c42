import { sql } from "kysely";
import { expect } from "vitest";
import type { Executor } from "../../src/storage/schema.ts";

/**
 * Whatever happened, what is stored is whole: each memory has its vector and the
 * event of its creation, usage counts what is there, and each chain has one head.
 */
export async function expectWholeMemories(db: Executor, companyId: string): Promise<void> {
  const { rows } = await sql<{ id: string; problem: string }>`
    select id, 'no vector' as problem from memories
    where company_id = ${companyId} and not exists (
      select from memory_vectors
      where memory_id = memories.id and company_id = memories.company_id)
    union all
    select id, 'not created once' from memories
    where company_id = ${companyId} and 1 <> (
      select count(*) from audit_events
      where memory_id = memories.id and company_id = memories.company_id and event = 'created')
    union all
    select id, 'superseded without a word, or the other way round' from memories
    where company_id = ${companyId} and (superseded_at is not null) <> exists (
      select from audit_events
      where memory_id = memories.id and company_id = memories.company_id and event = 'superseded')
    union all
    select id, 'its vector says otherwise' from memories
    join memory_vectors on memory_vectors.memory_id = memories.id
      and memory_vectors.company_id = memories.company_id
    where memories.company_id = ${companyId}
      and (is_superseded <> (superseded_at is not null)
        or memory_vectors.valid_to is distinct from memories.valid_to)
    union all
    select memory_id, 'a vector without a memory' from memory_vectors
    where company_id = ${companyId} and not exists (
      select from memories where id = memory_id and company_id = memory_vectors.company_id)
    union all
    select memory_id, 'an event without a memory' from audit_events
    where company_id = ${companyId} and not exists (
      select from memories where id = memory_id and company_id = audit_events.company_id)`.execute(
    db,
  );
  expect(rows).toEqual([]);
}

/** How many writes were counted, and how many memories there are. */
export async function usedAndStored(
  db: Executor,
  companyId: string,
): Promise<{ used: number; stored: number }> {
  const { rows } = await sql<{ used: number; stored: number }>`
    select
      (select coalesce(sum(writes_used), 0) from write_usage where company_id = ${companyId}) as used,
      (select count(*) from memories where company_id = ${companyId}) as stored`.execute(db);
  const [counts] = rows;
  return { used: Number(counts?.used), stored: Number(counts?.stored) };
}
