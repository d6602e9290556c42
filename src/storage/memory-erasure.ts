import { sql } from "kysely";
import { Failure } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import { eraseResponsesWithText } from "./idempotency-keys.ts";
import { toTenantColumn, uuidsOf } from "./memory-row.ts";
import { eraseRejectedFacts } from "./rejected-facts.ts";
import type { AccountDb, AccountTrx } from "./schema.ts";
import { transaction } from "./transaction.ts";

/**
 * Chains that are erased in one transaction, so that it is short: others wait for it, and
 * to check that nothing refers to a memory any more takes most of its time.
 */
const CHAINS_A_BATCH = 100;
/** Each time another transaction has moved every head that there was. */
const MAX_LOOKS_IN_VAIN = 100;

/**
 * Erases memories with their vectors, audit events and everything else that may
 * hold their text; yields, of each transaction once it is committed, how many.
 * `tenantId` undefined: of every tenant.
 *
 * Whole chains at a time: no transaction leaves a memory behind that points into one.
 * It ends with a transaction that finds no memory, erases responses and rejected facts, and
 * looks again. So a write that commits meanwhile loses all of its memories, its response
 * and what it rejected, or nothing.
 *
 * Throws `overloaded` when others supersede memories as fast as it looks for them.
 */
export async function* eraseMemories(
  db: AccountDb,
  tenantId: string | undefined,
): AsyncGenerator<number, void> {
  for (let looksInVain = 0; looksInVain < MAX_LOOKS_IN_VAIN; ) {
    const { deleted, isLast } = await transaction(db, (trx) => eraseBatch(trx, tenantId));
    yield deleted;
    if (isLast) return;
    if (deleted === 0) looksInVain++;
  }
  throw new Failure("overloaded", "memories are superseded faster than erased; try again", {
    retryAfterSeconds: 1,
  });
}

async function eraseBatch(
  trx: AccountTrx,
  tenantId: string | undefined,
): Promise<{ readonly deleted: number; readonly isLast: boolean }> {
  const heads = await lockChainHeads(trx, tenantId);
  const deleted = heads.length === 0 ? 0 : await deleteChains(trx, heads);
  // Each time: should the next one fail, no response is left of what is gone, and nothing
  // that was rejected beside it.
  await eraseResponsesWithText(trx, tenantId);
  await eraseRejectedFacts(trx, tenantId);
  return { deleted, isLast: heads.length === 0 && (await isEmpty(trx, tenantId)) };
}

/**
 * A statement of its own, with a snapshot of its own. No head that could be locked is
 * no proof: while the look for heads waited for one, that one may have been superseded,
 * and the look does not know of the memory that is the head now.
 */
async function isEmpty(trx: AccountTrx, tenantId: string | undefined): Promise<boolean> {
  const row = await idsInScope(trx, tenantId).limit(1).executeTakeFirst();
  return row === undefined;
}

function idsInScope(trx: AccountTrx, tenantId: string | undefined) {
  const ofAccount = trx.selectFrom("memories").select("id").where("company_id", "=", trx.companyId);
  return tenantId === undefined
    ? ofAccount
    : ofAccount.where("tenant_id", "=", toTenantColumn(tenantId));
}

/** In ID order, as supersessions lock. */
async function lockChainHeads(trx: AccountTrx, tenantId: string | undefined): Promise<MemoryId[]> {
  const rows = await idsInScope(trx, tenantId)
    .where("superseded_by", "is", null)
    .orderBy("id")
    .limit(CHAINS_A_BATCH)
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes locked heads and all that they replaced; returns how many memories. */
async function deleteChains(trx: AccountTrx, headIds: readonly MemoryId[]): Promise<number> {
  let ids = headIds;
  for (;;) {
    // A memory can join a chain until all of the chain is locked: look again
    // until nothing new is found.
    const members = await lockChainMembers(trx, ids);
    if (members.length === ids.length) break;
    ids = members;
  }
  await trx
    .deleteFrom("memory_vectors")
    .where("company_id", "=", trx.companyId)
    .where(sql<boolean>`memory_id = any(${uuidsOf(ids)})`)
    .execute();
  await trx
    .deleteFrom("audit_events")
    .where("company_id", "=", trx.companyId)
    .where(sql<boolean>`memory_id = any(${uuidsOf(ids)})`)
    .execute();
  const result = await trx
    .deleteFrom("memories")
    .where("company_id", "=", trx.companyId)
    .where(sql<boolean>`id = any(${uuidsOf(ids)})`)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** These memories with all that they replaced, locked in ID order. */
async function lockChainMembers(trx: AccountTrx, ids: readonly MemoryId[]): Promise<MemoryId[]> {
  const { rows } = await sql<{ id: MemoryId }>`
    with recursive members (id) as (
      select unnest(${uuidsOf(ids)})
      union
      select replaced.id
      from members
      cross join lateral (
        select memories.id from memories
        where memories.company_id = ${trx.companyId} and memories.superseded_by = members.id
        offset 0
      ) as replaced
    )
    select id from memories
    where company_id = ${trx.companyId} and id in (select id from members)
    order by id
    for update`.execute(trx);
  return rows.map(({ id }) => id);
}
