import { type RawBuilder, sql } from "kysely";
import type { ErasureScope } from "../domain/erasure.ts";
import type { CompanyId } from "../domain/ids.ts";
import { formatInstant, type Instant } from "../domain/instant.ts";
import {
  type CallFilter,
  type CallSum,
  type EndedCall,
  type LoggedCall,
  MAX_CALL_SUMS,
  MAX_LOGGED_CALLS,
  MAX_LOGGED_TEXT_CHARACTERS,
  MAX_USAGE_GROUPS,
} from "../domain/logged-call.ts";
import { shortened } from "../domain/rejected-fact.ts";
import { lockAgainstErasure } from "./memory-locks.ts";
import { fromTenantColumn, toTenantColumn } from "./memory-row.ts";
import type { AccountDb, AccountTrx, Executor } from "./schema.ts";
import { transaction } from "./transaction.ts";

/**
 * Stores calls, without texts; those of accounts that were deleted are forgotten.
 *
 * Across accounts: one statement stores what all of them called in some seconds.
 */
export async function addCalls(db: Executor, calls: readonly EndedCall[]): Promise<void> {
  const rows = calls.map((call) => ({
    company_id: call.companyId,
    id: call.id,
    at: formatInstant(call.at),
    actor: call.actor,
    rpc: call.rpc,
    tenant_ids: call.tenantIds.map(toTenantColumn),
    status: call.status,
    reason: call.reason,
    calls: 1,
    total_ms: call.durationMs,
    request_id: call.requestId,
    saved: call.savedCount,
    written_at: call.writtenAt && formatInstant(call.writtenAt),
    model_calls: call.modelCalls,
    uncounted_calls: call.uncountedCalls,
    input_tokens: call.inputTokens,
    output_tokens: call.outputTokens,
  }));
  await sql`
    insert into calls
    select added.* from jsonb_populate_recordset(null::calls, ${JSON.stringify(rows)}::jsonb) as added
    join accounts on accounts.company_id = added.company_id
    on conflict (company_id, id) do nothing`.execute(db);
}

/**
 * Of these keys those whose questions are to be kept.
 *
 * Across accounts: for the calls of all of them.
 */
export async function selectKeysWithTexts(
  db: Executor,
  apiKeyIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("api_key_settings")
    .select("api_key_id")
    .where("log_questions", "=", true)
    .where(sql<boolean>`api_key_id = any(${apiKeyIds}::uuid[])`)
    .execute();
  return new Set(rows.map(({ api_key_id }) => api_key_id));
}

/**
 * Keeps what a stored call asked and was answered. An answer may repeat the memories that it
 * was found by: where one of them was erased meanwhile, nothing is kept.
 */
export async function keepTexts(db: AccountDb, { id, asked }: EndedCall): Promise<void> {
  if (asked === null) return;
  const { question, answer, memoryIds } = asked;
  await transaction(db, async (trx) => {
    const present = await lockAgainstErasure(trx, memoryIds);
    if (present.size < memoryIds.length) return;
    await trx
      .updateTable("calls")
      .set({
        question: shortened(question, MAX_LOGGED_TEXT_CHARACTERS),
        answer: answer && shortened(answer, MAX_LOGGED_TEXT_CHARACTERS),
      })
      .where("company_id", "=", trx.companyId)
      .where("id", "=", id)
      .execute();
  });
}

/**
 * Erases what was asked and answered in the tenants of erased memories, and of every tenant
 * that is erased as a whole: texts of one memory are not told from those of others.
 */
export async function eraseTexts(
  trx: AccountTrx,
  { tenantId, metadata, ...narrowing }: ErasureScope,
  erasedTenants: readonly string[],
): Promise<void> {
  const isWhole =
    Object.values(narrowing).every((each) => each === null) && Object.keys(metadata).length === 0;
  const whole = tenantId === undefined ? [] : [toTenantColumn(tenantId)];
  const tenants = [...erasedTenants, ...(isWhole ? whole : [])];
  await sql`
    update calls set question = null, answer = null
    where company_id = ${trx.companyId} and question is not null
      and (${isWhole && tenantId === undefined} or tenant_ids && ${tenants}::text[])`.execute(trx);
}

/** What calls of a sum have in common, beside their day. */
const COMMON = sql`actor, rpc, tenant_ids, status, reason`;
const COUNTS = [
  ...["calls", "total_ms", "saved"],
  ...["model_calls", "uncounted_calls", "input_tokens", "output_tokens"],
];

/** Adds up the calls of an account that are too many to be kept one by one, by day. */
export async function addUpOldCalls(db: AccountDb): Promise<void> {
  const each = (text: (count: string) => string) => sql.raw(COUNTS.map(text).join(", "));
  await sql`
    with old as (
      delete from calls
      where company_id = ${db.companyId} and request_id is not null and id <= (
        select id from calls where company_id = ${db.companyId} and request_id is not null
        order by id desc offset ${MAX_LOGGED_CALLS} limit 1
      )
      returning *, date_trunc('day', at, 'UTC') as day
    )
    insert into calls (company_id, id, at, ${COMMON}, ${each((count) => count)})
    select company_id, md5(row(extract(epoch from day), ${COMMON})::text)::uuid, day, ${COMMON},
      ${each((count) => `sum(${count})`)}
    from old group by company_id, day, ${COMMON}
    on conflict (company_id, id) do update
    set ${each((count) => `${count} = calls.${count} + excluded.${count}`)}`.execute(db);
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

/** What is selected is a `LoggedCall`. The driver reads a bigint as text. */
const CALL_COLUMNS = sql`id, at, actor, rpc, tenant_ids as "tenantIds", status, reason,
  total_ms as "durationMs", request_id as "requestId", saved as "savedCount",
  written_at as "writtenAt", model_calls as "modelCalls", uncounted_calls as "uncountedCalls",
  input_tokens::float8 as "inputTokens", output_tokens::float8 as "outputTokens"`;

type Tenanted<T> = Omit<T, "tenantIds"> & { readonly tenantIds: readonly string[] };

function withTenants<T extends { readonly tenantIds: readonly string[] | null }>(row: T) {
  return { ...row, tenantIds: row.tenantIds?.map(fromTenantColumn) ?? null };
}

function loggedCall(row: Tenanted<LoggedCall>): LoggedCall {
  return { ...row, tenantIds: row.tenantIds.map(fromTenantColumn) };
}

/** Of an account's calls that are kept one by one: those that pass the filter. */
function passing(companyId: CompanyId, filter: CallFilter): RawBuilder<boolean> {
  const { isFailure, minMs, minTokens, since, before, tenantId } = filter;
  const equal = [
    ["actor", filter.actor],
    ["rpc", filter.rpc],
    ["status", filter.status],
    ["reason", filter.reason],
    ["request_id", filter.requestId],
  ] as const;
  const conditions = [
    sql`company_id = ${companyId} and request_id is not null`,
    ...equal
      .filter(([, value]) => value !== null)
      .map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    ...(tenantId === null ? [] : [sql`${tenantId}::text = any(tenant_ids)`]),
    ...(isFailure === null ? [] : [sql`(status >= 400) = ${isFailure}`]),
    ...(minMs === null ? [] : [sql`total_ms >= ${minMs}`]),
    ...(minTokens === null ? [] : [sql`input_tokens + output_tokens >= ${minTokens}`]),
    ...(since === null ? [] : [sql`at >= ${since}`]),
    ...(before === null ? [] : [sql`at < ${before}`]),
  ];
  return sql`${sql.join(conditions, sql` and `)}`;
}

/** Newest first, those before `beforeId` (null: from the newest). */
export async function listCalls(
  db: AccountDb,
  filter: CallFilter,
  { beforeId, limit }: { readonly beforeId: string | null; readonly limit: number },
): Promise<LoggedCall[]> {
  const behind = beforeId === null ? sql`` : sql` and id < ${beforeId}::uuid`;
  const { rows } = await sql<Tenanted<LoggedCall>>`
    select ${CALL_COLUMNS} from calls where ${passing(db.companyId, filter)}${behind}
    order by id desc limit ${limit}`.execute(db);
  return rows.map(loggedCall);
}

/** How many of the calls that are kept one by one pass the filter. */
export async function countCalls(db: AccountDb, filter: CallFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from calls where ${passing(db.companyId, filter)}`.execute(db);
  return rows[0]?.count ?? 0;
}

export interface CallWithTexts extends LoggedCall {
  readonly question: string | null;
  readonly answer: string | null;
}

/** null: the account has no call of this ID, or has it in a sum by now. */
export async function findCall(db: AccountDb, id: string): Promise<CallWithTexts | null> {
  const { rows } = await sql<Tenanted<CallWithTexts>>`
    select ${CALL_COLUMNS}, question, answer from calls
    where company_id = ${db.companyId} and id = ${id}::uuid and request_id is not null`.execute(db);
  const [row] = rows;
  return row === undefined ? null : { ...row, tenantIds: row.tenantIds.map(fromTenantColumn) };
}

/** By what calls are added up, each by one list of a usage. */
export type UsageGroup = "day" | "rpc" | "actor" | "tenant" | "outcome";

/** The sums of an account's calls since a moment, by each group; most calls first. */
export async function sumCalls(
  db: AccountDb,
  since: Instant,
): Promise<ReadonlyMap<UsageGroup, readonly CallSum[]>> {
  type Row = CallSum & { readonly group: UsageGroup; readonly tenantIds: string[] | null };
  const { rows } = await sql<Row>`
    select * from (
      select *, row_number() over (partition by "group" order by calls desc, day) as place from (
        select case when grouping(day) = 0 then 'day' when grouping(actor) = 0 then 'actor'
            when grouping(tenant_ids) = 0 then 'tenant' when grouping(status) = 0 then 'outcome'
            else 'rpc' end as "group",
          day, rpc, actor, tenant_ids as "tenantIds", status, reason,
          sum(calls)::int as calls,
          coalesce(sum(calls) filter (where calls.status >= 400), 0)::int as failures,
          sum(total_ms) as "totalMs",
          percentile_cont(0.5) within group (order by total_ms)
            filter (where request_id is not null) as "p50Ms",
          percentile_cont(0.95) within group (order by total_ms)
            filter (where request_id is not null) as "p95Ms",
          sum(saved)::int as "savedCount", sum(model_calls)::int as "modelCalls",
          sum(uncounted_calls)::int as "uncountedCalls",
          sum(input_tokens)::float8 as "inputTokens", sum(output_tokens)::float8 as "outputTokens"
        from (
          select *, (at at time zone 'UTC')::date::text as day from calls
          where company_id = ${db.companyId} and at >= ${since}
        ) as calls
        group by grouping sets ((day, rpc), (rpc), (actor), (tenant_ids), (status, reason))
      ) as sums
    ) as placed
    where place <= ${MAX_USAGE_GROUPS}
    order by place`.execute(db);
  return Map.groupBy(rows.map(withTenants), ({ group }) => group);
}
