import type { Selectable } from "kysely";
import type { Account, WriteUsage } from "../domain/account.ts";
import type { Instant } from "../domain/instant.ts";
import type { Executor, Schema } from "./schema.ts";

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
] as const;

/** false: an account of this company_id exists, and nothing was stored. */
export async function insertAccount(db: Executor, account: Account): Promise<boolean> {
  const result = await db
    .insertInto("accounts")
    .values({
      company_id: account.companyId,
      org_id: account.orgId,
      created_at: account.createdAt,
      ...changeableColumns(account),
    })
    .onConflict((conflict) => conflict.column("company_id").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** null: no such account. */
export async function findAccount(db: Executor, companyId: string): Promise<Account | null> {
  const row = await selectAccount(db, companyId).executeTakeFirst();
  return row === undefined ? null : toAccount(row);
}

/** As findAccount, locked for an update that depends on what was read. */
export async function lockAccount(trx: Executor, companyId: string): Promise<Account | null> {
  const row = await selectAccount(trx, companyId).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? null : toAccount(row);
}

/** Stores every changeable field of an account that exists. */
export async function updateAccount(trx: Executor, account: Account): Promise<void> {
  await trx
    .updateTable("accounts")
    .set(changeableColumns(account))
    .where("company_id", "=", account.companyId)
    .execute();
}

/** Whether the database has an account, of whatever name. */
export async function hasAccounts(db: Executor): Promise<boolean> {
  const row = await db.selectFrom("accounts").select("company_id").limit(1).executeTakeFirst();
  return row !== undefined;
}

/** An account, and its usage of the billing periods that began after some moment. */
export interface AccountWithUsage {
  readonly account: Account;
  readonly recorded: readonly WriteUsage[];
}

/** By company_id, behind `afterCompanyId` (null: from the first). */
export async function listAccounts(
  db: Executor,
  page: {
    readonly afterCompanyId: string | null;
    readonly limit: number;
    readonly usageAfter: Instant;
  },
): Promise<AccountWithUsage[]> {
  const { afterCompanyId, limit, usageAfter } = page;
  const rows = await db
    .with("page", (cte) =>
      cte
        .selectFrom("accounts")
        .select(ACCOUNT_COLUMNS)
        .$if(afterCompanyId !== null, (query) => query.where("company_id", ">", afterCompanyId))
        .orderBy("company_id")
        .limit(limit),
    )
    .selectFrom("page as accounts")
    .leftJoin("write_usage", (join) =>
      join
        .onRef("write_usage.company_id", "=", "accounts.company_id")
        .on("write_usage.period_start", ">", usageAfter),
    )
    .select(ACCOUNT_COLUMNS)
    .select([
      "write_usage.period_start",
      "write_usage.writes_used",
      "write_usage.quota_reached_at",
      "write_usage.grace_ends_at",
    ])
    .orderBy("accounts.company_id")
    .execute();
  return [...Map.groupBy(rows, ({ company_id }) => company_id).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined
      ? []
      : { account: toAccount(first), recorded: group.flatMap(toUsage) };
  });
}

/** None where the join found no usage. */
function toUsage(row: {
  readonly period_start: Instant | null;
  readonly writes_used: number | null;
  readonly quota_reached_at: Instant | null;
  readonly grace_ends_at: Instant | null;
}): WriteUsage[] {
  if (row.period_start === null || row.writes_used === null) return [];
  return [
    {
      periodStart: row.period_start,
      writesUsed: row.writes_used,
      quotaReachedAt: row.quota_reached_at,
      graceEndsAt: row.grace_ends_at,
    },
  ];
}

function selectAccount(db: Executor, companyId: string) {
  return db.selectFrom("accounts").select(ACCOUNT_COLUMNS).where("company_id", "=", companyId);
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
  };
}
