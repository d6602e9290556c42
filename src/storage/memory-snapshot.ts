import { sql } from "kysely";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import { movesEnd } from "./audit-events.ts";
import { toTenantColumn, uuidsOf } from "./memory-row.ts";
import type { AccountDb, AccountTrx } from "./schema.ts";
import {
  type MemorySnapshot,
  type SnapshotMemory,
  type SnapshotRow,
  SnapshotTable,
} from "./snapshot-table.ts";
import { snapshot } from "./transaction.ts";

/** The memories of a tenant, null being the default one; or of every tenant. */
export type TenantScope =
  | { readonly wholeAccount: false; readonly tenantId: string | null }
  | { readonly wholeAccount: true };

/** Of a statement: the event loop is held while its rows are read. */
const MEMORIES_A_STATEMENT = 2_000;

/**
 * Which memories there are at this moment, in one transaction that reads a few numbers of
 * each. null: there are more than `maxMemories`. Rejects when the client has left.
 */
export async function takeSnapshot(
  db: AccountDb,
  scope: TenantScope,
  maxMemories: number,
  signal: AbortSignal,
): Promise<MemorySnapshot | null> {
  const table = await snapshot(db, async (trx) => {
    const count = await countMemories(trx, scope);
    if (count > maxMemories) return null;
    const table = new SnapshotTable(count);
    for (let last: SnapshotRow | undefined; table.length < count; ) {
      const rows = await selectRows(trx, scope, last);
      for (const row of rows) table.add(row);
      last = rows.at(-1);
    }
    return table;
  });
  return table === null ? null : table.inOrder(signal);
}

function inScope(scope: TenantScope) {
  return scope.wholeAccount ? sql`true` : sql`tenant_id = ${toTenantColumn(scope.tenantId)}`;
}

async function countMemories(trx: AccountTrx, scope: TenantScope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from memories
    where company_id = ${trx.companyId} and ${inScope(scope)}`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** The columns of a `SnapshotRow`. */
function changingColumns(companyId: CompanyId) {
  return sql`tenant_id as "tenantId", id, valid_to as "validTo", superseded_by as "supersededBy",
    superseded_at as "supersededAt", (
      select coalesce(max(sequence), 0) from audit_events
      where audit_events.company_id = ${companyId} and audit_events.memory_id = memories.id
        and ${movesEnd}
    ) as "lastEndSequence"`;
}

/** By tenant and ID, behind the last row of the statement before. */
async function selectRows(
  trx: AccountTrx,
  scope: TenantScope,
  last: SnapshotRow | undefined,
): Promise<readonly SnapshotRow[]> {
  const isBehind =
    last === undefined ? sql`true` : sql`(tenant_id, id) > (${last.tenantId}, ${last.id}::uuid)`;
  const { rows } = await sql<SnapshotRow>`
    select ${changingColumns(trx.companyId)} from memories
    where memories.company_id = ${trx.companyId} and ${inScope(scope)} and ${isBehind}
    order by tenant_id, id
    limit ${MEMORIES_A_STATEMENT}`.execute(trx);
  return rows;
}

/** Those of these memories that the account has, as they are at this moment; in no order. */
export async function findSnapshotMemories(
  db: AccountDb,
  ids: readonly MemoryId[],
): Promise<SnapshotMemory[]> {
  const { rows } = await sql<SnapshotMemory>`
    select ${changingColumns(db.companyId)} from memories
    where memories.company_id = ${db.companyId} and id = any(${uuidsOf(ids)})`.execute(db);
  return rows;
}
