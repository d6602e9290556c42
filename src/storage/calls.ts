import { sql } from "kysely";
import type { Instant } from "../domain/instant.ts";
import { MAX_LISTED_TENANTS } from "../domain/limits.ts";
import {
  type CallToStore,
  type LoggedCall,
  MAX_CALL_SUMS,
  MAX_LOGGED_CALLS,
  MAX_LOGGED_TEXT_CHARACTERS,
} from "../domain/logged-call.ts";
import { shortened } from "../domain/rejected-fact.ts";
import { DOMAIN_NAMES, recordsOf } from "./column-values.ts";
import { lockAgainstErasure } from "./memory-locks.ts";
import { toTenantColumn } from "./memory-row.ts";
import type { AccountDb, AccountTrx, Executor } from "./schema.ts";
import { transaction } from "./transaction.ts";

/**
 * Stores calls, without texts; those of accounts that were deleted are forgotten.
 *
 * Across accounts: one statement stores what all of them called in some seconds.
 */
export async function addCalls(db: Executor, calls: readonly CallToStore[]): Promise<void> {
  const rows = recordsOf(calls.map(({ asked, ...call }) => ({ ...call, calls: 1 })));
  await sql`
    insert into calls
    select added.* from jsonb_populate_recordset(null::calls, ${rows}::jsonb) as added
    join accounts on accounts.company_id = added.company_id
    on conflict (company_id, id) do nothing`.execute(db);
}

/** Keeps a call's texts, unless a memory that they may repeat was erased meanwhile. */
export async function keepTexts(db: AccountDb, { id, asked }: CallToStore): Promise<void> {
  if (asked === null) return;
  const { question, answer, memoryIds } = asked;
  const cut = (text: string) => shortened(text, MAX_LOGGED_TEXT_CHARACTERS);
  await transaction(db, async (trx) => {
    const present = await lockAgainstErasure(trx, memoryIds);
    if (present.size < memoryIds.length) return;
    await sql`
      update calls set question = ${cut(question)}, answer = ${answer && cut(answer)}
      where company_id = ${trx.companyId} and id = ${id}::uuid`.execute(trx);
  });
}

/** Erases what was asked and answered in a tenant, undefined: in each, where a memory is erased. */
export async function eraseTexts(trx: AccountTrx, tenantId: string | null | undefined) {
  const tenant = tenantId === undefined ? null : toTenantColumn(tenantId);
  await sql`
    update calls set question = null, answer = null
    where company_id = ${trx.companyId} and question is not null
      and coalesce(${tenant} = any(tenant_ids), true)`.execute(trx);
}

/** What calls of a sum have in common, beside their day. */
const COMMON = sql.raw("actor, rpc, tenant_ids, status, reason");
const COUNTS =
  "calls, total_ms, saved_count, model_calls, uncounted_calls, input_tokens, output_tokens";
const counts = (each: string) => sql.raw(COUNTS.replaceAll(/\w+/g, each));
/** Of one call. A column that a newer server adds must not break a prepared statement. */
const LOGGED = sql`id, at, ${COMMON}, ${counts("$&")}, request_id, written_at`;

/** Adds up the calls of an account that are too many to be kept one by one, by day. */
export async function addUpOldCalls(db: AccountDb): Promise<void> {
  await sql`
    with old as (
      delete from calls
      where company_id = ${db.companyId} and request_id is not null and id <= (
        select id from calls where company_id = ${db.companyId} and request_id is not null
        order by id desc offset ${MAX_LOGGED_CALLS} limit 1
      )
      returning *
    )
    insert into calls (company_id, id, at, ${COMMON}, ${counts("$&")})
    select company_id, md5(row(extract(epoch from day), ${COMMON})::text)::uuid, day, ${COMMON},
      ${counts("sum($&)")}
    from (select *, date_trunc('day', at, 'UTC') as day from old) as old group by company_id, day, ${COMMON}
    on conflict (company_id, id) do update
    set ${counts("$& = calls.$& + excluded.$&")}`.execute(db);
  await sql`
    delete from calls where company_id = ${db.companyId} and request_id is null and id in (
      select id from calls where company_id = ${db.companyId} and request_id is null
      order by at desc, id offset ${MAX_CALL_SUMS}
    )`.execute(db);
}

/** Across accounts: what is too old is too old of all of them. */
export async function deleteOldCalls(db: Executor, before: Instant): Promise<void> {
  await db.deleteFrom("calls").where("at", "<", before).execute();
}

/** Of a row: that it passes a filter of this name. */
const CONDITIONS = {
  actor: (value: string) => sql`actor = ${value}`,
  tenant: (value: string) => sql`${value}::text = any(tenant_ids)`,
  rpc: (value: string) => sql`rpc = ${value}`,
  status: (value: number) => sql`status = ${value}`,
  reason: (value: string) => sql`reason = ${value}`,
  request: (value: string) => sql`request_id = ${value}`,
  isFailure: (value: boolean) => sql`(status >= 400) = ${value}`,
  minMs: (value: number) => sql`total_ms >= ${value}`,
  minTokens: (value: number) => sql`input_tokens + output_tokens >= ${value}`,
  since: (value: Instant) => sql`at >= ${value}`,
  before: (value: Instant) => sql`at < ${value}`,
};
export const CALL_FILTERS = Object.keys(CONDITIONS) as readonly (keyof typeof CONDITIONS)[];

/** All that is set holds of each call; null: it narrows nothing. */
export type CallFilter = {
  readonly [Name in (typeof CALL_FILTERS)[number]]: Parameters<(typeof CONDITIONS)[Name]>[0] | null;
};

/** Calls that pass the filter, newest first, those before `beforeId`, and how many pass in all. */
export async function listCalls(
  db: AccountDb,
  filter: CallFilter,
  { beforeId, limit }: { readonly beforeId: string | null; readonly limit: number },
): Promise<{ readonly calls: readonly LoggedCall[]; readonly totalCount: number }> {
  const given = CALL_FILTERS.filter((name) => filter[name] !== null);
  const conditions = given.map((name) => CONDITIONS[name](filter[name] as never));
  const all = sql`from calls where company_id = ${db.companyId} and request_id is not null
    ${sql.join(
      conditions.map((each) => sql` and ${each}`),
      sql``,
    )}`;
  const counted = await sql<{ count: number }>`select count(*) as count ${all}`.execute(db);
  const behind = beforeId === null ? sql`` : sql` and id < ${beforeId}::uuid`;
  const { rows: calls } = await sql<LoggedCall>`
    select ${LOGGED} ${all}${behind}
    order by id desc limit ${limit}`.execute(db.withPlugin(DOMAIN_NAMES));
  return { calls, totalCount: counted.rows[0]?.count ?? 0 };
}

/** When each tenant was last asked a question, those asked last first; of a sum the day. */
export async function selectLastQuestions(db: AccountDb): Promise<ReadonlyMap<string, Instant>> {
  const { rows } = await sql<{ tenant: string; at: Instant }>`
    select asked as tenant, max(at) as at from calls cross join unnest(tenant_ids) as asked
    where company_id = ${db.companyId} and rpc ~ '^(Stream)?Query|^Search|^GetContext'
    group by asked order by max(at) desc limit ${MAX_LISTED_TENANTS}`.execute(db);
  return new Map(rows.map(({ tenant, at }) => [tenant, at]));
}

/** With what it asked and was answered; null: the account has no call of this ID, or has it in a sum by now. */
export async function findCall(db: AccountDb, id: string) {
  const { rows } = await sql<LoggedCall & Record<"question" | "answer", string | null>>`
    select ${LOGGED}, question, answer from calls
    where company_id = ${db.companyId} and id = ${id}::uuid
      and request_id is not null`.execute(db.withPlugin(DOMAIN_NAMES));
  return rows[0] ?? null;
}

/** The calls that have what is set in common; null: they have not. */
export interface CallSum
  extends Omit<LoggedCall, "id" | "at" | "requestId" | "writtenAt" | "status"> {
  /** A day of UTC, as in `2026-05-01`. */
  readonly day: string | null;
  readonly status: number | null;
  readonly calls: number;
  readonly failures: number;
  /** Of the calls that are kept one by one; null: none of these is. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** By what calls are added up. Each list has at most so many sums. */
export type UsageGroup = "byDay" | "byRpc" | "byActor" | "byTenant" | "byOutcome";
const MAX_SUMS_A_GROUP = 1_000;

/** The sums of an account's calls since a moment, by each group; most calls first. */
export async function sumCalls(db: AccountDb, since: Instant) {
  const { rows } = await sql<CallSum & { list: UsageGroup }>`
    select * from (
      select *, row_number() over (partition by list order by calls desc, day) as place from (
        select case when grouping(day) = 0 then 'byDay' when grouping(actor) = 0 then 'byActor'
            when grouping(tenant_ids) = 0 then 'byTenant' when grouping(status) = 0 then 'byOutcome'
            else 'byRpc' end as list,
          day, ${COMMON}, ${counts("sum($&)::float8 as $&")},
          coalesce(sum(calls) filter (where status >= 400), 0)::int8 as failures,
          percentile_cont(0.5) within group (order by total_ms)
            filter (where request_id is not null) as p50_ms,
          percentile_cont(0.95) within group (order by total_ms)
            filter (where request_id is not null) as p95_ms
        from (
          select *, (at at time zone 'UTC')::date::text as day from calls
          where company_id = ${db.companyId} and at >= ${since}
        ) as calls
        group by grouping sets ((day, rpc), (rpc), (actor), (tenant_ids), (status, reason))
      ) as sums
    ) as placed
    where place <= ${MAX_SUMS_A_GROUP}
    order by place`.execute(db.withPlugin(DOMAIN_NAMES));
  return Object.groupBy(rows, ({ list }) => list);
}
