import { type Selectable, sql } from "kysely";
import type { WriteUsage } from "../domain/account.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Settings } from "../domain/settings.ts";
import type { AccountDb, AccountTrx, Executor, Schema } from "./schema.ts";
import { SETTINGS_COLUMNS, toSettings } from "./settings.ts";
import { accountDeleted } from "./storage-failure.ts";

const USAGE_COLUMNS = [
  "write_usage.period_start",
  "write_usage.writes_used",
  "write_usage.quota_reached_at",
  "write_usage.grace_ends_at",
] as const;

type UsageRow = Pick<
  Selectable<Schema["write_usage"]>,
  "period_start" | "writes_used" | "quota_reached_at" | "grace_ends_at"
>;

/**
 * That a period is counted from the present anchor of its account: where the operator moved
 * the anchor back, a period of the former one began later and says nothing. Whole calendar
 * months lie between the two; a day that a month has not is its last one.
 */
const IS_COUNTED_FROM_ANCHOR = sql<boolean>`
  write_usage.period_start = accounts.period_anchor + make_interval(months => (
    (date_part('year', write_usage.period_start) - date_part('year', accounts.period_anchor)) * 12
      + date_part('month', write_usage.period_start) - date_part('month', accounts.period_anchor)
  )::int)`;

/** null: a row that an outer join did not find. */
export function toWriteUsage(row: { [Column in keyof UsageRow]: UsageRow[Column] | null }) {
  if (row.period_start === null || row.writes_used === null) return null;
  const usage: WriteUsage = {
    periodStart: row.period_start,
    writesUsed: row.writes_used,
    quotaReachedAt: row.quota_reached_at,
    graceEndsAt: row.grace_ends_at,
  };
  return usage;
}

/**
 * The usage of the latest of the account's billing periods that has any; null: none has.
 *
 * A statement of its own beside the look-up of a key or an account: in a distributed
 * database these stand on every node, and what is joined to them there is not.
 */
export async function findLatestUsage(db: AccountDb): Promise<WriteUsage | null> {
  const row = await db
    .selectFrom("write_usage")
    .innerJoin("accounts", "accounts.company_id", "write_usage.company_id")
    .select(USAGE_COLUMNS)
    .where("write_usage.company_id", "=", db.companyId)
    .where(IS_COUNTED_FROM_ANCHOR)
    .orderBy("write_usage.period_start", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toWriteUsage(row);
}

/**
 * As `findLatestUsage`, of several accounts: those of them that have any.
 *
 * Across accounts: the operator lists them.
 */
export async function findLatestUsages(
  db: Executor,
  companyIds: readonly CompanyId[],
): Promise<ReadonlyMap<CompanyId, WriteUsage>> {
  const rows = await db
    .selectFrom("write_usage")
    .innerJoin("accounts", "accounts.company_id", "write_usage.company_id")
    .distinctOn("write_usage.company_id")
    .select(["write_usage.company_id", ...USAGE_COLUMNS])
    .where("write_usage.company_id", "=", sql<CompanyId>`any(${[...companyIds]}::text[])`)
    .where(IS_COUNTED_FROM_ANCHOR)
    .orderBy("write_usage.company_id")
    .orderBy("write_usage.period_start", "desc")
    .execute();
  return new Map(
    rows.flatMap((row) => {
      const usage = toWriteUsage(row);
      return usage === null ? [] : [[row.company_id, usage] as const];
    }),
  );
}

/** Usage of one billing period; null: nothing was recorded yet. */
export async function findWriteUsage(
  db: AccountDb,
  periodStart: Instant,
): Promise<WriteUsage | null> {
  const row = await db
    .selectFrom("write_usage")
    .select(USAGE_COLUMNS)
    .where("company_id", "=", db.companyId)
    .where("period_start", "=", periodStart)
    .executeTakeFirst();
  return row === undefined ? null : toWriteUsage(row);
}

/**
 * What a write depends on: the usage of the billing period, and the key's settings. Who
 * writes by something else than a key has the defaults.
 */
export async function findWriterState(
  db: AccountDb,
  apiKeyId: string,
  periodStart: Instant,
): Promise<{ readonly usage: WriteUsage | null; readonly settings: Settings }> {
  const row = await db
    .selectFrom("accounts")
    .leftJoin("write_usage", (join) =>
      join
        .onRef("write_usage.company_id", "=", "accounts.company_id")
        .on("write_usage.period_start", "=", periodStart),
    )
    .leftJoin("api_key_settings", (join) =>
      join
        .onRef("api_key_settings.company_id", "=", "accounts.company_id")
        .on("api_key_settings.api_key_id", "=", apiKeyId),
    )
    .select(USAGE_COLUMNS)
    .select(SETTINGS_COLUMNS)
    .where("accounts.company_id", "=", db.companyId)
    .executeTakeFirstOrThrow(() => accountDeleted());
  return { usage: toWriteUsage(row), settings: toSettings(row) };
}

/**
 * Counts up to `wanted` writes against the quota, exactly, whatever runs at the
 * same time, and returns how many it admitted: 0 to `wanted`. Notes the moment
 * when the quota is reached.
 *
 * The row stays locked until the transaction ends, so that a write which is
 * rolled back was never counted.
 */
export async function admitWrites(
  trx: AccountTrx,
  admission: {
    readonly periodStart: Instant;
    readonly writesLimit: number;
    readonly wanted: number;
    readonly now: Instant;
  },
): Promise<number> {
  const { periodStart, writesLimit, wanted, now } = admission;
  const { rows } = await sql<{ last_admitted: number }>`
    insert into write_usage as usage
      (company_id, period_start, writes_used, last_admitted, quota_reached_at)
    values (
      ${trx.companyId}, ${periodStart}, least(${wanted}::int, ${writesLimit}::int),
      least(${wanted}::int, ${writesLimit}::int),
      case when ${wanted}::int >= ${writesLimit}::int then ${now}::timestamptz end
    )
    on conflict (company_id, period_start) do update
    set writes_used = usage.writes_used
          + least(${wanted}::int, greatest(${writesLimit}::int - usage.writes_used, 0)),
        last_admitted = least(${wanted}::int, greatest(${writesLimit}::int - usage.writes_used, 0)),
        quota_reached_at = coalesce(
          usage.quota_reached_at,
          case when usage.writes_used + ${wanted}::int >= ${writesLimit}::int
               then ${now}::timestamptz end)
    where usage.writes_used < ${writesLimit}::int or usage.quota_reached_at is null
    returning last_admitted`.execute(trx);
  // No row: the quota was reached before.
  return rows[0]?.last_admitted ?? 0;
}

/** Sets or clears what the operator decides for a period; fields left out stay. */
export async function updateWriteUsage(
  trx: AccountTrx,
  periodStart: Instant,
  change: { readonly quotaReachedAt?: Instant | null; readonly graceEndsAt?: Instant | null },
): Promise<void> {
  const columns = {
    ...(change.quotaReachedAt !== undefined && { quota_reached_at: change.quotaReachedAt }),
    ...(change.graceEndsAt !== undefined && { grace_ends_at: change.graceEndsAt }),
  };
  if (Object.keys(columns).length === 0) return;
  await trx
    .insertInto("write_usage")
    .values({
      company_id: trx.companyId,
      period_start: periodStart,
      writes_used: 0,
      last_admitted: 0,
      ...columns,
    })
    .onConflict((conflict) => conflict.columns(["company_id", "period_start"]).doUpdateSet(columns))
    .execute();
}
