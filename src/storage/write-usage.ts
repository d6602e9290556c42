import { sql } from "kysely";
import type { WriteUsage } from "../domain/account.ts";
import type { Instant } from "../domain/instant.ts";
import type { Executor } from "./schema.ts";

/** Usage of one billing period; zero where nothing was recorded yet. */
export async function findWriteUsage(
  db: Executor,
  companyId: string,
  periodStart: Instant,
): Promise<WriteUsage> {
  const row = await db
    .selectFrom("write_usage")
    .select(["writes_used", "quota_reached_at", "grace_ends_at"])
    .where("company_id", "=", companyId)
    .where("period_start", "=", periodStart)
    .executeTakeFirst();
  return {
    periodStart,
    writesUsed: row?.writes_used ?? 0,
    quotaReachedAt: row?.quota_reached_at ?? null,
    graceEndsAt: row?.grace_ends_at ?? null,
  };
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
  trx: Executor,
  admission: {
    readonly companyId: string;
    readonly periodStart: Instant;
    readonly writesLimit: number;
    readonly wanted: number;
    readonly now: Instant;
  },
): Promise<number> {
  const { companyId, periodStart, writesLimit, wanted, now } = admission;
  const { rows } = await sql<{ last_admitted: number }>`
    insert into write_usage as usage
      (company_id, period_start, writes_used, last_admitted, quota_reached_at)
    values (
      ${companyId}, ${periodStart}, least(${wanted}::int, ${writesLimit}::int),
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
  trx: Executor,
  companyId: string,
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
      company_id: companyId,
      period_start: periodStart,
      writes_used: 0,
      last_admitted: 0,
      ...columns,
    })
    .onConflict((conflict) => conflict.columns(["company_id", "period_start"]).doUpdateSet(columns))
    .execute();
}
