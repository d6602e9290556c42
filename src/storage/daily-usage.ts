import { type Kysely, type RawBuilder, sql } from "kysely";
import type {
  AccountCalls,
  AccountTokens,
  DailyCalls,
  DailyTokens,
} from "../domain/daily-usage.ts";
import type { AccountDb, Executor, Schema } from "./schema.ts";

/** What is counted by day, and by what. */
const COUNTED = {
  daily_usage: { by: "rpc", counts: ["calls", "failures", "total_ms"] },
  daily_tokens: {
    by: "operation",
    counts: ["calls", "uncounted_calls", "input_tokens", "output_tokens"],
  },
} as const;

/**
 * Adds calls to those that are stored; those of accounts that were deleted are forgotten.
 *
 * Across accounts: one statement adds what all of them called in some seconds.
 */
export async function addDailyUsage(db: Executor, calls: readonly AccountCalls[]): Promise<void> {
  const rows = calls.map(({ companyId, totalMs, ...each }) => {
    return { company_id: companyId, total_ms: totalMs, ...each };
  });
  await add(db, "daily_usage", rows);
}

/** The same for what the models did in these calls. */
export async function addDailyTokens(
  db: Executor,
  tokens: readonly AccountTokens[],
): Promise<void> {
  const rows = tokens.map(({ companyId, uncountedCalls, inputTokens, outputTokens, ...each }) => ({
    company_id: companyId,
    uncounted_calls: uncountedCalls,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...each,
  }));
  await add(db, "daily_tokens", rows);
}

/** The rows are locked in the order of their keys. */
async function add(
  db: Kysely<Schema>,
  name: keyof typeof COUNTED,
  rows: readonly object[],
): Promise<void> {
  const { by, counts } = COUNTED[name];
  const each = (text: (column: string) => string) => sql.raw(counts.map(text).join(", "));
  const [table, kind]: RawBuilder<unknown>[] = [sql.table(name), sql.ref(by)];
  await sql`
    insert into ${table} (company_id, day, ${kind}, ${each((column) => column)})
    select added.company_id, day, ${kind}, ${each((column) => column)}
    from jsonb_populate_recordset(null::${table}, ${JSON.stringify(rows)}::jsonb) as added
    join accounts on accounts.company_id = added.company_id
    order by added.company_id, day, ${kind}
    on conflict (company_id, day, ${kind}) do update
    set ${each((column) => `${column} = ${name}.${column} + excluded.${column}`)}`.execute(db);
}

/** An account's calls since a day, that one included; by day, then by RPC. */
export async function listDailyUsage(db: AccountDb, since: string): Promise<DailyCalls[]> {
  return await db
    .selectFrom("daily_usage")
    .select(["rpc", "calls", "failures", "total_ms as totalMs"])
    .select(sql<string>`day::text`.as("day"))
    .where("company_id", "=", db.companyId)
    .where("day", ">=", since)
    .orderBy("daily_usage.day")
    .orderBy("rpc")
    .execute();
}

/** The same of what its calls of models took; by day, then by operation. */
export async function listDailyTokens(db: AccountDb, since: string): Promise<DailyTokens[]> {
  return await db
    .selectFrom("daily_tokens")
    .select(["operation", "calls", "uncounted_calls as uncountedCalls"])
    .select([
      sql<string>`day::text`.as("day"),
      // As numbers: the driver reads a bigint as text.
      sql<number>`input_tokens::double precision`.as("inputTokens"),
      sql<number>`output_tokens::double precision`.as("outputTokens"),
    ])
    .where("company_id", "=", db.companyId)
    .where("day", ">=", since)
    .orderBy("daily_tokens.day")
    .orderBy("operation")
    .execute();
}

/** Across accounts: what is too old is too old of all of them. */
export async function deleteDailyCounts(db: Executor, before: string): Promise<void> {
  await db.deleteFrom("daily_usage").where("day", "<", before).execute();
  await db.deleteFrom("daily_tokens").where("day", "<", before).execute();
}
