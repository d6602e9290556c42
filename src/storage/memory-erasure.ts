import { sql } from "kysely";
import { Failure } from "../domain/failure.ts";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import { eraseResponsesWithText } from "./idempotency-keys.ts";
import { toTenantColumn, uuidsOf } from "./memory-row.ts";
import type { Trx } from "./schema.ts";

/** Chains that are erased at once, so that no statement meets its deadline. */
const CHAINS_A_BATCH = 2_000;
/** Each time another transaction has moved every head that there was. */
const MAX_LOOKS_IN_VAIN = 100;

/**
 * Erases memories with their vectors, audit events and everything else that may
 * hold their text, and returns how many. `tenantId` undefined: of every tenant.
 *
 * Whole chains at a time: no batch leaves a memory behind that points into it.
 * Responses go between the last memory and the look that finds none left. So a write
 * that commits meanwhile loses both its memories and its response, or neither.
 *
 * Throws `overloaded` when others supersede memories as fast as it looks for them.
 */
export async function eraseMemories(
  trx: Trx,
  companyId: CompanyId,
  tenantId: string | undefined,
): Promise<number> {
  let deleted = 0;
  for (let looksInVain = 0; looksInVain < MAX_LOOKS_IN_VAIN; ) {
    const heads = await lockChainHeads(trx, companyId, tenantId);
    if (heads.length > 0) {
      deleted += await deleteChains(trx, companyId, heads);
      continue;
    }
    await eraseResponsesWithText(trx, companyId, tenantId);
    if (await isEmpty(trx, companyId, tenantId)) return deleted;
    looksInVain++;
  }
  throw new Failure("overloaded", "memories are superseded faster than erased; try again", {
    retryAfterSeconds: 1,
  });
}

/**
 * A statement of its own, with a snapshot of its own. No head that could be locked is
 * no proof: while the look for heads waited for one, that one may have been superseded,
 * and the look does not know of the memory that is the head now.
 */
async function isEmpty(
  trx: Trx,
  companyId: CompanyId,
  tenantId: string | undefined,
): Promise<boolean> {
  const row = await idsInScope(trx, companyId, tenantId).limit(1).executeTakeFirst();
  return row === undefined;
}

function idsInScope(trx: Trx, companyId: CompanyId, tenantId: string | undefined) {
  const ofAccount = trx.selectFrom("memories").select("id").where("company_id", "=", companyId);
  return tenantId === undefined
    ? ofAccount
    : ofAccount.where("tenant_id", "=", toTenantColumn(tenantId));
}

/** In ID order, as supersessions lock. */
async function lockChainHeads(
  trx: Trx,
  companyId: CompanyId,
  tenantId: string | undefined,
): Promise<MemoryId[]> {
  const rows = await idsInScope(trx, companyId, tenantId)
    .where("superseded_by", "is", null)
    .orderBy("id")
    .limit(CHAINS_A_BATCH)
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes locked heads and all that they replaced; returns how many memories. */
async function deleteChains(
  trx: Trx,
  companyId: CompanyId,
  headIds: readonly MemoryId[],
): Promise<number> {
  let ids = headIds;
  for (;;) {
    // A memory can join a chain until all of the chain is locked: look again
    // until nothing new is found.
    const members = await lockChainMembers(trx, companyId, ids);
    if (members.length === ids.length) break;
    ids = members;
  }
  await trx
    .deleteFrom("memory_vectors")
    .where("company_id", "=", companyId)
    .where(sql<boolean>`memory_id = any(${uuidsOf(ids)})`)
    .execute();
  await trx
    .deleteFrom("audit_events")
    .where("company_id", "=", companyId)
    .where(sql<boolean>`memory_id = any(${uuidsOf(ids)})`)
    .execute();
  const result = await trx
    .deleteFrom("memories")
    .where("company_id", "=", companyId)
    .where(sql<boolean>`id = any(${uuidsOf(ids)})`)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** These memories with all that they replaced, locked in ID order. */
async function lockChainMembers(
  trx: Trx,
  companyId: CompanyId,
  ids: readonly MemoryId[],
): Promise<MemoryId[]> {
  const { rows } = await sql<{ id: MemoryId }>`
    with recursive members (id) as (
      select unnest(${uuidsOf(ids)})
      union
      select replaced.id
      from members
      cross join lateral (
        select memories.id from memories
        where memories.company_id = ${companyId} and memories.superseded_by = members.id
        offset 0
      ) as replaced
    )
    select id from memories
    where company_id = ${companyId} and id in (select id from members)
    order by id
    for update`.execute(trx);
  return rows.map(({ id }) => id);
}
