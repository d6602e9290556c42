import type { Selectable } from "kysely";
import type { Account } from "../domain/account.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { AccountDb, AccountTrx, Executor, Schema } from "./schema.ts";

export const ACCOUNT_COLUMNS = [
  "accounts.company_id",
  "accounts.org_id",
  "accounts.plan_tier",
  "accounts.plan_status",
  "accounts.writes_limit",
  "accounts.grace_days",
  "accounts.rate",
  "accounts.burst",
  "accounts.period_anchor",
  "accounts.created_at",
  "accounts.suspended_at",
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
  const row = await selectAccount(db).executeTakeFirst();
  return row === undefined ? null : toAccount(row);
}

/** As findAccount, locked for an update that depends on what was read. */
export async function lockAccount(trx: AccountTrx): Promise<Account | null> {
  const row = await selectAccount(trx).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? null : toAccount(row);
}

/** Stores every changeable field of an account that exists. */
export async function storeAccount(trx: AccountTrx, account: Account): Promise<void> {
  await trx
    .updateTable("accounts")
    .set(changeableColumns(account))
    .where("company_id", "=", trx.companyId)
    .execute();
}

/**
 * Suspends an account, or, where `at` is null, lifts that; one that was suspended before
 * keeps its time. Returns it as it is then; null: no such account.
 */
export async function setSuspension(db: AccountDb, at: Instant | null): Promise<Account | null> {
  const row = await db
    .updateTable("accounts")
    .set(({ fn, ref, val }) => ({
      suspended_at: at === null ? null : fn.coalesce(ref("suspended_at"), val(at)),
    }))
    .where("company_id", "=", db.companyId)
    .returning(ACCOUNT_COLUMNS)
    .executeTakeFirst();
  return row === undefined ? null : toAccount(row);
}

/**
 * Deletes an account with its keys, settings, sessions, usage, kept responses and rejected
 * facts. false: it has memories, which are to be erased first.
 */
export async function deleteAccountWithoutMemories(trx: AccountTrx): Promise<boolean> {
  await selectAccount(trx).forUpdate().execute();
  // Each write locks the usage: behind this statement none goes on, and none begins.
  await deleteRows(trx, "write_usage");
  const memory = await trx
    .selectFrom("memories")
    .select("id")
    .where("company_id", "=", trx.companyId)
    .limit(1)
    .executeTakeFirst();
  if (memory !== undefined) return false;
  await deleteRows(trx, "idempotency_keys");
  await deleteRows(trx, "sessions");
  await deleteRows(trx, "sign_in_links");
  await deleteRows(trx, "logout_tokens");
  await deleteRows(trx, "daily_usage");
  await deleteRows(trx, "daily_tokens");
  await deleteRows(trx, "rejected_facts");
  await deleteRows(trx, "api_key_settings");
  // No use of a key is noted behind this statement.
  await trx
    .selectFrom("api_keys")
    .select("id")
    .where("company_id", "=", trx.companyId)
    .orderBy("id")
    .forUpdate()
    .execute();
  await deleteRows(trx, "api_key_uses");
  await deleteRows(trx, "api_keys");
  await deleteRows(trx, "accounts");
  return true;
}

async function deleteRows(
  trx: AccountTrx,
  table:
    | "write_usage"
    | "idempotency_keys"
    | "sessions"
    | "sign_in_links"
    | "logout_tokens"
    | "daily_usage"
    | "daily_tokens"
    | "rejected_facts"
    | "api_key_settings"
    | "api_key_uses"
    | "api_keys"
    | "accounts",
): Promise<void> {
  await trx.deleteFrom(table).where("company_id", "=", trx.companyId).execute();
}

/** Whether the database has an account, of whatever name. */
export async function hasAccounts(db: Executor): Promise<boolean> {
  const row = await db.selectFrom("accounts").select("company_id").limit(1).executeTakeFirst();
  return row !== undefined;
}

/** By company_id, behind `afterCompanyId` (null: from the first). */
export async function selectAccounts(
  db: Executor,
  page: { readonly afterCompanyId: CompanyId | null; readonly limit: number },
): Promise<Account[]> {
  const { afterCompanyId, limit } = page;
  const rows = await db
    .selectFrom("accounts")
    .select(ACCOUNT_COLUMNS)
    .$if(afterCompanyId !== null, (query) =>
      query.where("accounts.company_id", ">", afterCompanyId),
    )
    .orderBy("accounts.company_id")
    .limit(limit)
    .execute();
  return rows.map(toAccount);
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

export function toAccount(row: Selectable<Schema["accounts"]>): Account {
  return {
    companyId: row.company_id,
    orgId: row.org_id,
    planTier: row.plan_tier,
    planStatus: row.plan_status,
    writesLimit: row.writes_limit,
    graceDays: row.grace_days,
    rate: row.rate,
    burst: row.burst,
    periodAnchor: row.period_anchor,
    createdAt: row.created_at,
    suspendedAt: row.suspended_at,
  };
}
