import { sql } from "kysely";
import type { AccountTokens, DailyTokens } from "../domain/daily-usage.ts";
import type { AccountDb, Executor } from "./schema.ts";

/**
 * Adds what calls of models took to what is stored; that of accounts that were deleted is
 * forgotten. The rows are locked in the order of their keys.
 *
 * Across accounts: one statement adds what the models did for all of them in some seconds.
 */
export async function addDailyTokens(
  db: Executor,
  tokens: readonly AccountTokens[],
): Promise<void> {
  await sql`
    insert into daily_tokens
      (company_id, day, operation, calls, uncounted_calls, input_tokens, output_tokens)
    select added.company_id, added.day, added.operation, added.calls, added.uncounted_calls,
      added.input_tokens, added.output_tokens
    from unnest(
      ${tokens.map(({ companyId }) => companyId)}::text[],
      ${tokens.map(({ day }) => day)}::date[],
      ${tokens.map(({ operation }) => operation)}::text[],
      ${tokens.map(({ calls }) => calls)}::integer[],
      ${tokens.map(({ uncountedCalls }) => uncountedCalls)}::integer[],
      ${tokens.map(({ inputTokens }) => inputTokens)}::bigint[],
      ${tokens.map(({ outputTokens }) => outputTokens)}::bigint[]
    ) as added
      (company_id, day, operation, calls, uncounted_calls, input_tokens, output_tokens)
    join accounts on accounts.company_id = added.company_id collate "C"
    order by added.company_id collate "C", added.day, added.operation collate "C"
    on conflict (company_id, day, operation) do update
    set calls = daily_tokens.calls + excluded.calls,
        uncounted_calls = daily_tokens.uncounted_calls + excluded.uncounted_calls,
        input_tokens = daily_tokens.input_tokens + excluded.input_tokens,
        output_tokens = daily_tokens.output_tokens + excluded.output_tokens`.execute(db);
}

/** What an account's calls of models took since a day, that one included; by day, then by operation. */
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
export async function deleteDailyTokens(db: Executor, before: string): Promise<void> {
  await db.deleteFrom("daily_tokens").where("day", "<", before).execute();
}
