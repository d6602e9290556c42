import { sql } from "kysely";
import type { WriteUsage } from "../domain/account.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Settings } from "../domain/settings.ts";
import { SETTINGS_COLUMNS, type StoredSettings, toSettings } from "./api-keys.ts";
import { StatementText } from "./column-values.ts";
import type { AccountDb, AccountTrx, Executor } from "./schema.ts";
import { accountDeleted } from "./storage-failure.ts";

/** What is selected is a `WriteUsage`. */
const USAGE_COLUMNS = [
  "write_usage.period_start as periodStart",
  "write_usage.writes_used as writesUsed",
  "write_usage.quota_reached_at as quotaReachedAt",
  "write_usage.grace_ends_at as graceEndsAt",
] as const;

/**
 * The usage of these billing periods, by account; those without any are left out.
 *
 * Across accounts: the operator lists them.
 */
export async function findWriteUsages(db: Executor, periods: ReadonlyMap<CompanyId, Instant>) {
  const rows = await db
    .selectFrom("write_usage")
    .select(USAGE_COLUMNS)
    .select("company_id")
    .where(
      sql<boolean>`(company_id, period_start) in (
        select * from unnest(${[...periods.keys()]}::text[], ${[...periods.values()]}::timestamptz[])
      )`,
    )
    .execute();
  return new Map(rows.map(({ company_id, ...usage }) => [company_id, usage]));
}

/**
 * Usage of one billing period; null: nothing was recorded yet.
 *
 * A statement of its own beside the look-up of a key or an account: in a distributed
 * database these stand on every node, and what is joined to them there is not.
 */
export async function findWriteUsage(db: AccountDb, periodStart: Instant) {
  const row = await db
    .selectFrom("write_usage")
    .select(USAGE_COLUMNS)
    .where(({ and }) => and({ company_id: db.companyId, period_start: periodStart }))
    .executeTakeFirst();
  return row ?? null;
}

/** Without a period, nothing was counted in it. */
type WriterState = StoredSettings & (WriteUsage | { readonly periodStart: null });

/** A write's usage of the period and the key's settings, which are the defaults without a key. */
export async function findWriterState(db: AccountDb, apiKeyId: string, periodStart: Instant) {
  const columns = [...USAGE_COLUMNS, ...SETTINGS_COLUMNS]
    .join(", ")
    .replace(/ as (\w+)/g, ' as "$1"');
  const statement = new StatementText(db.companyId);
  const { rows } = await db.executeQuery(
    statement.query<WriterState>(`
      select ${columns}
      from accounts
      left join write_usage on write_usage.company_id = ${statement.account}
        and write_usage.period_start = ${statement.value(periodStart)}
      left join api_key_settings on api_key_settings.company_id = ${statement.account}
        and api_key_settings.api_key_id = ${statement.value(apiKeyId)}
      where accounts.company_id = ${statement.account}`),
  );
  const [row] = rows;
  if (row === undefined) throw accountDeleted();
  if (row.periodStart === null) return { usage: null, settings: toSettings(row) };
  const { periodStart: start, writesUsed, quotaReachedAt, graceEndsAt } = row;
  const usage = { periodStart: start, writesUsed, quotaReachedAt, graceEndsAt };
  return { usage, settings: toSettings(row) };
}

/** Whether the writes of a key go by these settings, as a condition of a statement. */
export function hasSettings(
  statement: StatementText,
  apiKeyId: string,
  { autoSupersedeDefault, excludedCategories, minConfidence, ...settings }: Settings,
): string {
  const isAs = (column: string, value: unknown, type: string) => {
    const text = `${statement.value(value)}::${type}`;
    return `coalesce(${column}, ${text}) = ${text}`;
  };
  // What the key never changed is null, and never becomes null again.
  const all = [
    isAs("auto_supersede_default", autoSupersedeDefault, "boolean"),
    isAs("excluded_categories", excludedCategories, "text[]"),
    isAs("min_confidence", minConfidence, "double precision"),
    isAs("classifier_model", settings.classifierModel, "text"),
    isAs("auto_supersede_mode", settings.autoSupersedeMode, "text"),
  ];
  return `not exists (
    select 1 from api_key_settings
    where company_id = ${statement.account} and api_key_id = ${statement.value(apiKeyId)}
      and not (${all.join(" and ")})
  )`;
}

export interface Admission {
  readonly periodStart: Instant;
  readonly writesLimit: number;
  readonly wanted: number;
  readonly now: Instant;
}

/**
 * Counts up to `wanted` writes against the quota, exactly, whatever runs at the same time, and
 * returns how many it admitted: 0 to `wanted`. Notes the moment when the quota is reached.
 *
 * The row stays locked until the transaction ends, so that a write which is rolled back was never
 * counted.
 */
export async function admitWrites(trx: AccountTrx, admission: Admission): Promise<number> {
  const statement = new StatementText(trx.companyId);
  const text = countWrites(statement, admission);
  const { rows } = await trx.executeQuery(statement.query<{ last_admitted: number }>(text));
  // No row: the quota was reached before.
  return rows[0]?.last_admitted ?? 0;
}

/** The same as a part of a statement: `last_admitted`, or no row. */
export function countWrites(statement: StatementText, admission: Admission): string {
  const wanted = `${statement.value(admission.wanted)}::int`;
  const limit = `${statement.value(admission.writesLimit)}::int`;
  const now = `${statement.value(admission.now)}::timestamptz`;
  const admitted = `least(${wanted}, greatest(${limit} - usage.writes_used, 0))`;
  return `
    insert into write_usage as usage
      (company_id, period_start, writes_used, last_admitted, quota_reached_at)
    values (
      ${statement.account}, ${statement.value(admission.periodStart)},
      least(${wanted}, ${limit}), least(${wanted}, ${limit}),
      case when ${wanted} >= ${limit} then ${now} end
    )
    on conflict (company_id, period_start) do update
    set writes_used = usage.writes_used + ${admitted},
        last_admitted = ${admitted},
        quota_reached_at = coalesce(
          usage.quota_reached_at,
          case when usage.writes_used + ${wanted} >= ${limit} then ${now} end)
    where usage.writes_used < ${limit} or usage.quota_reached_at is null
    returning last_admitted`;
}

/** Sets or clears what the operator decides for a period; a field left out stays. */
export async function updateWriteUsage(
  trx: AccountTrx,
  periodStart: Instant,
  change: Partial<Pick<WriteUsage, "quotaReachedAt" | "graceEndsAt">>,
): Promise<void> {
  const columns = { quota_reached_at: change.quotaReachedAt, grace_ends_at: change.graceEndsAt };
  if (Object.values(columns).every((value) => value === undefined)) return;
  const row = { company_id: trx.companyId, period_start: periodStart };
  await trx
    .insertInto("write_usage")
    .values({ ...row, writes_used: 0, last_admitted: 0, ...columns })
    .onConflict((conflict) => conflict.columns(["company_id", "period_start"]).doUpdateSet(columns))
    .execute();
}
