import type { Account } from "../domain/account.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { AccountDb, AccountTrx, Executor, Schema } from "./schema.ts";

/** What is selected is an `Account`. */
export const ACCOUNT_COLUMNS = [
  "accounts.company_id as companyId",
  "accounts.org_id as orgId",
  "accounts.plan_tier as planTier",
  "accounts.plan_status as planStatus",
  "accounts.writes_limit as writesLimit",
  "accounts.grace_days as graceDays",
  "accounts.rate",
  "accounts.burst",
  "accounts.period_anchor as periodAnchor",
  "accounts.created_at as createdAt",
  "accounts.suspended_at as suspendedAt",
] as const;

/** false: an account of this company_id exists, and nothing was stored. */
export async function insertAccount(db: AccountDb, account: Account): Promise<boolean> {
  const result = await db
    .insertInto("accounts")
    .values({
      company_id: db.companyId,
      org_id: account.orgId,
      created_at: account.createdAt,
      ...changeableColumns(account),
    })
    .onConflict((conflict) => conflict.column("company_id").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** null: no such account. */
export async function findAccount(db: AccountDb): Promise<Account | null> {
  return (await selectAccount(db).executeTakeFirst()) ?? null;
}

/** As findAccount, locked for an update that depends on what was read. */
export async function lockAccount(trx: AccountTrx): Promise<Account | null> {
  return (await selectAccount(trx).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

export async function storeAccount(trx: AccountTrx, account: Account): Promise<void> {
  await trx
    .updateTable("accounts")
    .set(changeableColumns(account))
    .where("company_id", "=", trx.companyId)
    .execute();
}

/** Suspends an account, unless it was already, or lifts that (null). Returns it; null: none. */
export async function setSuspension(db: AccountDb, at: Instant | null): Promise<Account | null> {
  const row = await db
    .updateTable("accounts")
    .set(({ fn, ref, val }) => ({
      suspended_at: at === null ? null : fn.coalesce(ref("suspended_at"), val(at)),
    }))
    .where("company_id", "=", db.companyId)
    .returning(ACCOUNT_COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Deletes an account with its keys, settings, sessions, usage, calls, kept responses and rejected
 * facts. false: it has memories, which are to be erased first.
 */
export async function deleteAccountWithoutMemories(trx: AccountTrx): Promise<boolean> {
  /** Each behind those that refer to it. */
  const remove = async (...tables: readonly Exclude<keyof Schema, "embedding_spaces">[]) => {
    for (const table of tables) {
      await trx.deleteFrom(table).where("company_id", "=", trx.companyId).execute();
    }
  };
  await selectAccount(trx).forUpdate().execute();
  // Each write locks the usage: behind this statement none goes on, and none begins.
  await remove("write_usage");
  const ofAccount = { company_id: trx.companyId };
  const memories = trx.selectFrom("memories").where(({ and }) => and(ofAccount));
  if ((await memories.select("id").limit(1).executeTakeFirst()) !== undefined) return false;
  await remove("idempotency_keys", "sessions", "sign_in_links", "logout_tokens", "calls");
  await remove("rejected_facts", "api_key_settings");
  // No use of a key is noted behind this statement.
  const keys = trx.selectFrom("api_keys").where(({ and }) => and(ofAccount));
  await keys.select("id").orderBy("id").forUpdate().execute();
  await remove("api_key_uses", "api_keys", "accounts");
  return true;
}

export async function hasAccounts(db: Executor): Promise<boolean> {
  const row = await db.selectFrom("accounts").select("company_id").limit(1).executeTakeFirst();
  return row !== undefined;
}

/** By company_id, behind `afterCompanyId` (null: from the first). */
export async function selectAccounts(
  db: Executor,
  afterCompanyId: CompanyId | null,
  limit: number,
): Promise<Account[]> {
  return db
    .selectFrom("accounts")
    .select(ACCOUNT_COLUMNS)
    .$if(afterCompanyId !== null, (query) =>
      query.where("accounts.company_id", ">", afterCompanyId),
    )
    .orderBy("accounts.company_id")
    .limit(limit)
    .execute();
}

function selectAccount(db: AccountDb) {
  return db.selectFrom("accounts").select(ACCOUNT_COLUMNS).where("company_id", "=", db.companyId);
}

function changeableColumns(account: Account) {
  return {
    plan_tier: account.planTier,
    plan_status: account.planStatus,
    writes_limit: account.writesLimit,
    grace_days: account.graceDays,
    rate: account.rate,
    burst: account.burst,
    period_anchor: account.periodAnchor,
  };
}
