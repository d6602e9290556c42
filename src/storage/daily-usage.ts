import { sql } from "kysely";
import type { AccountCalls, DailyCalls } from "../domain/daily-usage.ts";
import type { AccountDb, Executor } from "./schema.ts";

/**
 * Adds calls to those that are stored; those of accounts that were deleted are forgotten.
 * The rows are locked in the order of their keys.
 *
 * Across accounts: one statement adds what all of them called in some seconds.
 */
export async function addDailyUsage(db: Executor, calls: readonly AccountCalls[]): Promise<void> {
  await sql`
    insert into daily_usage (company_id, day, rpc, calls, failures, total_ms)
    select added.company_id, added.day, added.rpc, added.calls, added.failures, added.total_ms
    from unnest(
      ${calls.map(({ companyId }) => companyId)}::text[],
      ${calls.map(({ day }) => day)}::date[],
      ${calls.map(({ rpc }) => rpc)}::text[],
      ${calls.map((each) => each.calls)}::integer[],
      ${calls.map(({ failures }) => failures)}::integer[],
      ${calls.map(({ totalMs }) => totalMs)}::double precision[]
    ) as added (company_id, day, rpc, calls, failures, total_ms)
    join accounts on accounts.company_id = added.company_id collate "C"
    order by added.company_id collate "C", added.day, added.rpc collate "C"
    on conflict (company_id, day, rpc) do update
    set calls = daily_usage.calls + excluded.calls,
        failures = daily_usage.failures + excluded.failures,
        total_ms = daily_usage.total_ms + excluded.total_ms`.execute(db);
}

/** An account's calls since a day, that one included; by day, then by RPC. */
export async function listDailyUsage(db: AccountDb, since: string): Promise<DailyCalls[]> {
  const rows = await db
    .selectFrom("daily_usage")
    .select(["rpc", "calls", "failures", "total_ms"])
    .select(sql<string>`day::text`.as("day"))
    .where("company_id", "=", db.companyId)
    .where("day", ">=", since)
    .orderBy("daily_usage.day")
    .orderBy("rpc")
    .execute();
  return rows.map(({ total_ms: totalMs, ...row }) => ({ ...row, totalMs }));
}

/** Across accounts: what is too old is too old of all of them. */
export async function deleteDailyUsage(db: Executor, before: string): Promise<void> {
  await db.deleteFrom("daily_usage").where("day", "<", before).execute();
}
