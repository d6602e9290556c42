import { type RawBuilder, sql } from "kysely";
import type { ErasureScope } from "../domain/erasure.ts";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import { type KeptRejectedFact, MAX_KEPT_REJECTED_FACTS } from "../domain/rejected-fact.ts";
import { DOMAIN_NAMES, recordsOf } from "./column-values.ts";
import { isWriteInScope } from "./memory-filters.ts";
import { fromTenantColumn, toTenantColumn, uuidsOf } from "./memory-row.ts";
import type { AccountDb, AccountTrx } from "./schema.ts";

const COLUMNS = sql.raw(`id, tenant_id, session_id, source, metadata, rejected_at, said_at, fact,
  is_fact_cut, is_retraction, message, message_index, reason`);

/**
 * Keeps what a write rejected, at most MAX_KEPT_REJECTED_FACTS, the last ones, and drops
 * the oldest that are too many with them. Writes side by side do not see each other's: until
 * the next one there may be more.
 */
export async function keepRejectedFacts(trx: AccountTrx, rejected: readonly KeptRejectedFact[]) {
  const facts = rejected.slice(-MAX_KEPT_REJECTED_FACTS);
  if (facts.length === 0) return;
  const rows = facts.map((each) => ({ ...each, tenantId: toTenantColumn(each.tenantId) }));
  // What another write drops already is not waited for: two could wait for each other.
  await sql`
    with surplus as (
      select id from rejected_facts
      where company_id = ${trx.companyId} and id <= (
        select id from rejected_facts
        where company_id = ${trx.companyId}
        order by id desc
        offset ${MAX_KEPT_REJECTED_FACTS - facts.length}
        limit 1
      )
      for update skip locked
    ), dropped as (
      delete from rejected_facts using surplus
      where rejected_facts.company_id = ${trx.companyId} and rejected_facts.id = surplus.id
    )
    insert into rejected_facts (company_id, ${COLUMNS})
    select ${trx.companyId}, ${COLUMNS}
    from jsonb_populate_recordset(null::rejected_facts, ${recordsOf(rows)}::jsonb)`.execute(trx);
}

/** Newest first, those kept before `beforeId` (null: from the newest). */
export async function listRejectedFacts(db: AccountDb, beforeId: string | null, limit: number) {
  const { rows } = await sql<KeptRejectedFact & { readonly tenantId: string }>`
    select ${COLUMNS} from rejected_facts
    where company_id = ${db.companyId} and (${beforeId}::uuid is null or id < ${beforeId})
    order by id desc
    limit ${limit}`.execute(db.withPlugin(DOMAIN_NAMES));
  return rows.map((row) => ({ ...row, tenantId: fromTenantColumn(row.tenantId) }));
}

/** Does nothing where the account has none of this ID. */
export async function deleteRejectedFact(db: AccountDb, id: string): Promise<void> {
  await db
    .deleteFrom("rejected_facts")
    .where(({ and }) => and({ company_id: db.companyId, id }))
    .execute();
}

export function isRejectedInScope(companyId: CompanyId, scope: ErasureScope): RawBuilder<boolean> {
  const said = sql`select id as key, tenant_id, session_id, source, metadata, '' as topic,
    rejected_at as created_at from rejected_facts where company_id = ${companyId}`;
  return isWriteInScope(sql`rejected_facts.id`, said, scope);
}

/**
 * Erases those of writes in the scope, and of the writes of these memories, which are still there.
 * Nothing is deleted where there are none: a deletion has the embedded database's files rewritten.
 */
export async function eraseRejectedFacts(
  trx: AccountTrx,
  scope: ErasureScope,
  ids: readonly MemoryId[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from rejected_facts
    where company_id = ${trx.companyId} and (
      ${isRejectedInScope(trx.companyId, scope)} or exists (
        select 1 from memories
        where memories.company_id = ${trx.companyId} and memories.id = any(${uuidsOf(ids)})
          and memories.tenant_id = rejected_facts.tenant_id
          and memories.created_at = rejected_facts.rejected_at
      )
    )`.execute(trx);
  const erased = rows.map(({ id }) => id);
  if (erased.length === 0) return;
  await trx
    .deleteFrom("rejected_facts")
    .where("company_id", "=", trx.companyId)
    .where(sql<boolean>`id = any(${erased}::uuid[])`)
    .execute();
}
