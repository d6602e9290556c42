import { sql } from "kysely";
import type { AuditEvent, HistoryEvent } from "../domain/audit-event.ts";
import type { ChainMember } from "../domain/exported-memory.ts";
import type { MemoryId } from "../domain/ids.ts";
import { successorsOf } from "./memory-chains.ts";
import { lockWhatIsFound } from "./memory-locks.ts";
import { DEFAULT_TENANT, fromTenantColumn, toTenantColumn, uuidsOf } from "./memory-row.ts";
import { type NewMemory, writeMemories } from "./memory-writes.ts";
import type { AccountDb, AccountTrx } from "./schema.ts";

/** Lets imports of the same IDs, or into a new tenant, wait for each other. */
export async function lockImports(
  trx: AccountTrx,
  tenantIds: readonly (string | null)[],
  ids: readonly MemoryId[],
): Promise<void> {
  // In one order, so that no two wait for each other.
  const tenants = tenantIds.map(toTenantColumn).toSorted();
  await sql`
    select pg_advisory_xact_lock(hashtextextended(name, 0))
    from (
      select ${trx.companyId}::text || ' ' || tenant_id from unnest(${tenants}::text[]) as tenant_id
      union all
      select id::text from unnest(${uuidsOf(ids.toSorted())}) as id
    ) as locked (name)`.execute(trx);
}

/**
 * Which of these IDs memories have, and whether they are the account's own.
 *
 * Across accounts: no two memories have one ID.
 */
export async function findTakenIds(db: AccountDb, ids: readonly MemoryId[]) {
  const { rows } = await sql<{ id: MemoryId; is_own: boolean }>`
    select id, company_id = ${db.companyId} as is_own from memories
    where id = any(${uuidsOf(ids)})`.execute(db);
  return new Map(rows.map(({ id, is_own }) => [id, { isOwn: is_own }]));
}

/** Of tenants that were to hold so many memories, those that hold more or less. */
export async function findOtherwiseFilled(
  trx: AccountTrx,
  expected: ReadonlyMap<string | null, number>,
): Promise<(string | null)[]> {
  if (expected.size === 0) return [];
  const tenants = [...expected.keys()].map(toTenantColumn);
  const { rows } = await sql<{ tenant_id: string }>`
    select expected.tenant_id
    from unnest(${tenants}::text[], ${[...expected.values()]}::int[]) as expected (tenant_id, count)
    where expected.count <> (
      select count(*) from memories
      where memories.company_id = ${trx.companyId} and memories.tenant_id = expected.tenant_id
    )`.execute(trx);
  return rows.map(({ tenant_id }) => fromTenantColumn(tenant_id));
}

/**
 * Of these memories those that the account has, with what follows them. They and the heads of
 * their chains are locked: until the transaction ends, their chains do not grow.
 *
 * Throws `overloaded` when others supersede the heads as fast as it locks them.
 */
export async function lockReplacements(trx: AccountTrx, ids: readonly MemoryId[]) {
  if (ids.length === 0) return new Map<MemoryId, ChainMember>();
  const look = () =>
    sql<ChainMember & { readonly id: MemoryId; readonly headId: MemoryId }>`
      with recursive ${successorsOf(trx.companyId, ids)}
      select member.id, nullif(member.tenant_id, ${DEFAULT_TENANT}) as "tenantId",
        member.valid_from as "validFrom", following.*
      from (
        select root_id,
          min(valid_from) filter (where id <> root_id) as "followedBy",
          (array_agg(id) filter (where superseded_by is null))[1] as "headId"
        from successors
        group by root_id
      ) as following
      join memories as member
        on member.company_id = ${trx.companyId} and member.id = following.root_id`.execute(trx);
  const { rows } = await lockWhatIsFound(trx, [], look, ({ rows }) =>
    rows.flatMap(({ id, headId }) => [id, headId]),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export interface ImportedMemory extends NewMemory {
  readonly history: readonly HistoryEvent[];
}

const MAX_EVENTS_A_STATEMENT = 1_000;

/** Writes memories, each behind its replacement, and in its history the import (D42a). */
export async function insertImported(
  trx: AccountTrx,
  memories: readonly ImportedMemory[],
  by: Pick<HistoryEvent, "actor" | "at">,
): Promise<void> {
  const imported: HistoryEvent = { event: "imported", ...by, detail: {} };
  const events = memories.flatMap(({ memory, history }) =>
    [...history, imported].map((event): AuditEvent => ({ memoryId: memory.id, ...event })),
  );
  let created: readonly NewMemory[] = memories.toReversed();
  const lastSequences = new Map<MemoryId, number>();
  for (let start = 0; start === 0 || start < events.length; start += MAX_EVENTS_A_STATEMENT) {
    const part = events.slice(start, start + MAX_EVENTS_A_STATEMENT);
    await writeMemories(trx, { created, events: part, lastSequences });
    for (const { memoryId } of part) {
      lastSequences.set(memoryId, (lastSequences.get(memoryId) ?? 0) + 1);
    }
    created = [];
  }
}
