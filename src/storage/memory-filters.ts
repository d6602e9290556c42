import { type RawBuilder, type Selectable, sql } from "kysely";
import type { ErasureScope } from "../domain/erasure.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { MemoryFilters } from "../domain/memory.ts";
import { movesEnd } from "./audit-events.ts";
import { columnsOf, isOfTenants, MEMORY_COLUMNS, toTenantColumn } from "./memory-row.ts";
import type { MemoriesTable } from "./schema.ts";

/** What a supersession changes of a memory, and its history tells. */
const END_COLUMNS = new Set(["valid_to", "superseded_by", "superseded_at"]);

/**
 * Of a row of `memories`: that it passes the filters, the two times aside. One text for
 * most combinations, since a connection prepares each text.
 */
export function passesFilters(
  filters: Omit<MemoryFilters, "asOf" | "knownAt">,
): RawBuilder<boolean> {
  const { sessionId, topic, createdAfter, createdBefore, metadata } = filters;
  const hasOthers = isFiltered({ ...filters, asOf: null, knownAt: null, sessionId: null });
  const others = sql`topic = coalesce(${topic}, topic)
    and created_at > coalesce(${createdAfter}::timestamptz, '-infinity')
    and created_at < coalesce(${createdBefore}::timestamptz, 'infinity')
    and metadata @> ${JSON.stringify(metadata)}::jsonb`;
  const conditions = [
    ...(sessionId === null ? [] : [isInSession(sql`${sessionId}::text`)]),
    ...(hasOthers ? [others] : []),
  ];
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
}

/** Whether a read is about less, or about another time, than all that is current. */
export function isFiltered(filters: MemoryFilters): boolean {
  const { asOf, knownAt, sessionId, topic, createdAfter, createdBefore, metadata } = filters;
  return (
    [asOf, knownAt, sessionId, topic, createdAfter, createdBefore].some((each) => each !== null) ||
    Object.keys(metadata).length > 0
  );
}

/** Of a row of `memories`: that an erasure takes it. */
export function isInScope(scope: ErasureScope): RawBuilder<boolean> {
  const { tenantId, source, memoryId, endedBefore } = scope;
  const conditions = [
    ...(tenantId === undefined ? [] : [sql`tenant_id = ${toTenantColumn(tenantId)}`]),
    ...(source === null ? [] : [sql`source = ${source}`]),
    ...(memoryId === null ? [] : [sql`id = ${memoryId}`]),
    ...(endedBefore === null
      ? []
      : [sql`coalesce(superseded_at, valid_to) < ${endedBefore} and created_at < ${endedBefore}`]),
    passesFilters({ ...scope, createdAfter: null }),
  ];
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** The same of other records of a write. `said` selects their key and the columns of the scope. */
export function isWriteInScope(
  key: RawBuilder<unknown>,
  said: RawBuilder<unknown>,
  scope: ErasureScope,
): RawBuilder<boolean> {
  // What tells memories of one write apart says nothing of the write.
  const { memoryId, endedBefore, topic } = scope;
  if ([memoryId, endedBefore, topic].some((each) => each !== null)) return sql`false`;
  return sql`${key} in (select key from (${said}) as said where ${isInScope(scope)})`;
}

/** By the index of conversations, which has a hash: four labels of the longest kind are too long. */
export function isInSession(sessionId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`session_hash(session_id) = session_hash(${sessionId})
    and session_id = ${sessionId}`;
}

/** Of a row of `memories`: that it holds at `asOf` (D21), or is current at `now`. */
export function holds(asOf: Instant | null, now: Instant): RawBuilder<boolean> {
  return asOf === null
    ? sql`(superseded_at is null and (valid_to is null or valid_to > ${now}))`
    : sql`(valid_from <= ${asOf} and (valid_to is null or valid_to > ${asOf}))`;
}

/** What a read takes of an account's memories, the times at which they hold aside. */
export interface MemoriesScope extends Omit<MemoryFilters, "asOf"> {
  /** At least one, each once; null is the default tenant. null: every tenant. */
  readonly tenantIds: readonly (string | null)[] | null;
  /** null: every source. */
  readonly sources: readonly string[] | null;
}

/** FROM and WHERE: the memories of a scope, as they were known, of which the conditions are true. */
export function memoriesThatPass(
  companyId: CompanyId,
  scope: MemoriesScope,
  conditions: readonly RawBuilder<boolean>[],
): RawBuilder<unknown> {
  const all = [passesFilters(scope), ...conditions, ...isFromSources(scope)];
  return sql`from ${memoriesKnownAt(companyId, scope.knownAt)} as memories
  where company_id = ${companyId} and ${isOfTenants(scope.tenantIds)}
    and ${sql.join(all, sql` and `)}`;
}

/** Of a row with a `source`; none: all are. */
export function isFromSources({ sources }: Pick<MemoriesScope, "sources">): RawBuilder<boolean>[] {
  return sources === null ? [] : [sql`source = any(${sources}::text[])`];
}

/**
 * The table `memories` of an account as it was at a moment; null: as it is.
 *
 * The history tells the state at the moment, if it goes on after it. The memory then ends as
 * the last event before the moment says. Without one, it ends as the first later event found
 * it. So each change of an end must leave an event with `valid_to`, with `to` where it trims,
 * and with `previous_valid_to` where it can be the first one. Imports read the same (`recordedEnd`).
 * Behind one that was erased since, what follows it now is named, if it was known by then.
 */
export function memoriesKnownAt(
  companyId: CompanyId,
  knownAt: Instant | null,
): RawBuilder<Selectable<MemoriesTable>> {
  if (knownAt === null) return sql`memories`;
  const kept = new Set([...MEMORY_COLUMNS, "session_id", "attribute"]).difference(END_COLUMNS);
  const moment = sql`${knownAt}::timestamptz`;
  return sql`(
    select ${columnsOf([...kept])},
      case when history.goes_on
        then (case when history.last is null then history.first_end
          else coalesce(history.last->>'to', history.last->>'valid_to') end)::timestamptz
        else memories.valid_to end as valid_to,
      case when history.goes_on is not true then memories.superseded_by else (
        select id from memories as next
        where next.company_id = ${companyId} and next.created_at <= ${moment} and next.id in (
          history.superseded_by,
          case when memories.superseded_at <= ${moment} then memories.superseded_by end) limit 1) end as superseded_by,
      case when history.goes_on then history.superseded_at
        else memories.superseded_at end as superseded_at
    from memories cross join lateral (
      select bool_or(at > ${moment}) as goes_on,
        (array_agg(detail order by sequence desc) filter (where at <= ${moment}))[1] as last,
        (array_agg(detail->>'previous_valid_to' order by sequence)
          filter (where at > ${moment}))[1] as first_end,
        (array_agg(case when event <> 'restored' then (detail->>'superseded_by')::uuid end
          order by sequence desc)
          filter (where at <= ${moment} and event <> 'trimmed'))[1] as superseded_by,
        (array_agg(case when event <> 'restored' then at end order by sequence desc)
          filter (where at <= ${moment} and event not in ('trimmed', 'neighbour_erased')))[1]
          as superseded_at
      from audit_events
      where audit_events.company_id = ${companyId} and audit_events.memory_id = memories.id
        and ${movesEnd}
    ) as history
    where memories.company_id = ${companyId} and memories.created_at <= ${moment}
  )`;
}
