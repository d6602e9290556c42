import { sql } from "kysely";
import type { AuditEvent } from "../domain/audit-event.ts";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import type { Memory } from "../domain/memory.ts";
import { type MemoryRow, memoryColumns, toMemory, uuidsOf } from "./memory-row.ts";
import type { Executor, Trx } from "./schema.ts";

// Each step of the walks below is a `lateral` of its own, because a planner that
// knows nothing of a recursion's size would read the whole table at every step.
// `union` drops what was seen before, so that no walk is endless.

/** A table expression: a memory and all that follow it along `superseded_by`. */
function successorsOf(companyId: CompanyId, id: MemoryId | null) {
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

/** The memories that a supersession depends on. */
export interface SupersessionScope {
  readonly memoryId: MemoryId;
  /** null: the memory ends without one. */
  readonly replacementId: MemoryId | null;
}

/**
 * Locks, in ID order, the memory, its replacement and, as it was when the
 * statement began, the last memory of the replacement's chain; besides `alsoLocked`.
 * IDs that the account does not have are left out.
 */
export async function lockForSupersession(
  trx: Trx,
  companyId: CompanyId,
  { memoryId, replacementId }: SupersessionScope,
  alsoLocked: readonly MemoryId[],
): Promise<Memory[]> {
  const named = replacementId === null ? [memoryId] : [memoryId, replacementId];
  const { rows } = await sql<MemoryRow>`
    with recursive ${successorsOf(companyId, replacementId)}
    select ${memoryColumns} from memories
    where company_id = ${companyId}
      and (
        id = any(${uuidsOf([...named, ...alsoLocked])})
        or id = (select id from successors where superseded_by is null)
      )
    order by id
    for update`.execute(trx);
  return rows.map(toMemory);
}

/** What is read once the locks of a supersession are held. */
export interface SupersessionHistory {
  /** The last memory of the replacement's chain; null: there is no replacement. */
  readonly chainHeadId: MemoryId | null;
  /** Of the memory's last event; 0: it has none. */
  readonly lastSequence: number;
  /** Of the memory's last supersession; null: it has none. */
  readonly lastSupersession: AuditEvent["detail"] | null;
}

/** A statement of its own, because one that waited for a lock sees chains as they were before. */
export async function readSupersessionHistory(
  trx: Trx,
  companyId: CompanyId,
  { memoryId, replacementId }: SupersessionScope,
): Promise<SupersessionHistory> {
  const { rows } = await sql<{
    head_id: MemoryId | null;
    last_sequence: number | null;
    last_supersession: AuditEvent["detail"] | null;
  }>`
    with recursive ${successorsOf(companyId, replacementId)}
    select
      (select id from successors where superseded_by is null) as head_id,
      (
        select max(sequence) from audit_events
        where company_id = ${companyId} and memory_id = ${memoryId}
      ) as last_sequence,
      (
        select detail from audit_events
        where company_id = ${companyId} and memory_id = ${memoryId} and event = 'superseded'
        order by sequence desc limit 1
      ) as last_supersession`.execute(trx);
  const [row] = rows;
  return {
    chainHeadId: row?.head_id ?? null,
    lastSequence: row?.last_sequence ?? 0,
    lastSupersession: row?.last_supersession ?? null,
  };
}

/**
 * Every memory of the chain (D18: of a merge, all branches), by valid_from,
 * created_at, ID. Empty when the account has no such memory.
 */
export async function findChain(
  db: Executor,
  companyId: CompanyId,
  id: MemoryId,
): Promise<Memory[]> {
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
