import { sql } from "kysely";
import type { Memory } from "../domain/memory.ts";
import { type MemoryRow, memoryColumns, toMemory } from "./memory-row.ts";
import type { Executor } from "./schema.ts";

// Each step of the walks below is a `lateral` of its own, because a planner that
// knows nothing of a recursion's size would read the whole table at every step.
// `union` drops what was seen before, so that no walk is endless.

/** A table expression: a memory and all that follow it along `superseded_by`. */
function successorsOf(companyId: string, id: string) {
  return sql`successors (id, superseded_by) as (
    select id, superseded_by from memories where company_id = ${companyId} and id = ${id}
    union
    select next.id, next.superseded_by
    from successors
    cross join lateral (
      select memories.id, memories.superseded_by from memories
      where memories.company_id = ${companyId} and memories.id = successors.superseded_by
      offset 0
    ) as next
  )`;
}

/**
 * The last memory on the way along `superseded_by`; the memory itself when it
 * has no replacement, and an ID that the account does not have.
 */
export async function findChainHeadId(
  trx: Executor,
  companyId: string,
  id: string,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with recursive ${successorsOf(companyId, id)}
    select id from successors where superseded_by is null`.execute(trx);
  return rows[0]?.id ?? id;
}

/**
 * Every memory of the chain (D18: of a merge, all branches), by valid_from,
 * created_at, ID. Empty when the account has no such memory.
 */
export async function findChain(db: Executor, companyId: string, id: string): Promise<Memory[]> {
  const { rows } = await sql<MemoryRow>`
    with recursive ${successorsOf(companyId, id)},
    chain (id) as (
      select id from successors where superseded_by is null
      union
      select replaced.id
      from chain
      cross join lateral (
        select memories.id from memories
        where memories.company_id = ${companyId} and memories.superseded_by = chain.id
        offset 0
      ) as replaced
    )
    select version.* from chain
    cross join lateral (
      select ${memoryColumns} from memories
      where memories.company_id = ${companyId} and memories.id = chain.id
      offset 0
    ) as version
    order by version.valid_from, version.created_at, version.id`.execute(db);
  return rows.map(toMemory);
}
