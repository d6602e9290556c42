import { type RawBuilder, sql } from "kysely";
import type { AuditEvent } from "../domain/audit-event.ts";
import type { EarlierVersion, Start, TrimmedVersion } from "../domain/chain.ts";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { successorsOf } from "./memory-chains.ts";
import type { AccountTrx } from "./schema.ts";

/** Versions whose ends move in one statement: while it runs, others may wait for its connection. */
export const MAX_MOVED_ENDS_A_STATEMENT = 500;

/**
 * The table expression `earlier`: memories that end, and the versions before them that may be
 * valid for too long. `roots` has the columns `id` and `start`: a memory that ends, and the
 * earliest start of what follows it. null: nothing follows it.
 *
 * The walk back is mostly short. A version ends where a later one starts, so behind a version
 * that starts at `start` or before, only the versions that this one replaced can end later.
 * They can where a caller chose their end.
 */
export function earlierVersions(companyId: CompanyId, roots: RawBuilder<unknown>) {
  return sql`earlier (root_id, start, id, valid_from, valid_to, goes_on) as (
    select root.id, root.start, root.id, memory.valid_from, memory.valid_to,
      root.start is not null
    from (${roots}) as root (id, start)
    cross join lateral (
      select memories.valid_from, memories.valid_to from memories
      where memories.company_id = ${companyId} and memories.id = root.id
      offset 0
    ) as memory
    union
    select earlier.root_id, earlier.start, replaced.id, replaced.valid_from, replaced.valid_to,
      earlier.valid_from > earlier.start
    from earlier
    cross join lateral (
      select memories.id, memories.valid_from, memories.valid_to from memories
      where memories.company_id = ${companyId} and memories.superseded_by = earlier.id
      offset 0
    ) as replaced
    where earlier.goes_on
  )`;
}

/** Of a row of `earlier`: the version before the root ends behind the start, and is to be trimmed. */
export const areTrimmed = sql`(
  earlier.id <> earlier.root_id and earlier.valid_to > earlier.start
)`;

export interface FoundVersions {
  /** At most `MAX_MOVED_ENDS_A_STATEMENT`. */
  readonly earlier: readonly EarlierVersion[];
  /** Whether more are found once the ends of these have moved. */
  readonly hasMore: boolean;
  /** The last sequence of each history, of the memories that end too. */
  readonly lastSequences: ReadonlyMap<MemoryId, number>;
}

/**
 * The versions before these locked memories that end behind the start given for each; null:
 * nothing follows the memory. This is a statement of its own, because a statement that waited
 * for a lock sees chains as they were before.
 */
export async function findEarlierVersions(
  trx: AccountTrx,
  laterStarts: ReadonlyMap<MemoryId, Start | null>,
): Promise<FoundVersions> {
  const ids = [...laterStarts.keys()];
  if (ids.length === 0) return { earlier: [], hasMore: false, lastSequences: new Map() };
  const starts = [...laterStarts.values()].map((start) => start?.validFrom ?? null);
  const roots = sql`select * from unnest(${ids}::uuid[], ${starts}::timestamptz[])`;
  const { rows } = await sql<EarlierRow>`
    with recursive ${earlierVersions(trx.companyId, roots)},
    ${wantedVersions(ids.length)}
    select wanted.*, history.last_sequence
    from wanted
    ${lastSequenceOf(trx.companyId, sql`wanted.id`)}`.execute(trx);
  return toFoundVersions(rows);
}

/** The table expression `wanted`: so many roots of `earlier`, and the first versions to be trimmed. */
function wantedVersions(roots: number): RawBuilder<unknown> {
  return sql`wanted as (
      select root_id, id, valid_to from earlier
      where id = root_id or ${areTrimmed}
      order by id <> root_id, id
      limit ${roots + MAX_MOVED_ENDS_A_STATEMENT}
    )`;
}

/** A join: `history` (last_sequence) of each memory, 0 where it has none. */
function lastSequenceOf(companyId: CompanyId, id: RawBuilder<unknown>) {
  return sql`cross join lateral (
    select coalesce(max(sequence), 0) as last_sequence from audit_events
    where audit_events.company_id = ${companyId} and audit_events.memory_id = ${id}
    offset 0
  ) as history`;
}

/** One of a memory that ends, or of a version before it. */
interface EarlierRow {
  readonly root_id: MemoryId;
  readonly id: MemoryId;
  readonly valid_to: Instant | null;
  readonly last_sequence: number;
}

function toFoundVersions(rows: readonly EarlierRow[]): FoundVersions {
  const earlier = rows.flatMap(({ root_id: rootId, id, valid_to: validTo }) =>
    id === rootId || validTo === null ? [] : { rootId, id, validTo },
  );
  return {
    earlier,
    hasMore: earlier.length >= MAX_MOVED_ENDS_A_STATEMENT,
    lastSequences: new Map(rows.map(({ id, last_sequence }) => [id, last_sequence])),
  };
}

/** The memories that a supersession depends on. */
export interface SupersessionScope {
  readonly memoryId: MemoryId;
  /** null: the memory ends without one. */
  readonly replacementId: MemoryId | null;
}

/** The replacement, where there is one. */
export function idsOf(replacementId: MemoryId | null): readonly MemoryId[] {
  return replacementId === null ? [] : [replacementId];
}

/** A row for `earlierVersions`: the memory, and the earliest start of its `successors`. */
export function earliestSuccessor(memoryId: MemoryId): RawBuilder<unknown> {
  return sql`select ${memoryId}::uuid, (select min(valid_from) from successors)`;
}

/** What is read once the locks of a supersession are held. */
export interface SupersessionHistory extends FoundVersions {
  /** The last memory of the replacement's chain; null: there is no replacement. */
  readonly chainHeadId: MemoryId | null;
  /** The earliest start behind the replacement; null: nothing follows it. */
  readonly followedBy: Start | null;
  /** What ended the memory last; null: nothing did. */
  readonly lastEnd: Pick<AuditEvent, "actor" | "detail"> | null;
}

/** This is a statement of its own, for the reason that `findEarlierVersions` gives. */
export async function readSupersessionHistory(
  trx: AccountTrx,
  { memoryId, replacementId }: SupersessionScope,
): Promise<SupersessionHistory> {
  const { rows } = await sql<HistoryRow>`
    with recursive ${successorsOf(trx.companyId, idsOf(replacementId))},
    ${earlierVersions(trx.companyId, earliestSuccessor(memoryId))},
    ${wantedVersions(1)}
    select
      chain.head_id,
      follower.id as follower_id,
      follower.valid_from as follower_start,
      (
        select jsonb_build_object('actor', actor, 'detail', detail) from audit_events
        where company_id = ${trx.companyId} and memory_id = ${memoryId} and event in ('superseded', 'retracted')
        order by sequence desc limit 1
      ) as last_end,
      wanted.*,
      history.last_sequence
    from (
      select (select id from successors where superseded_by is null) as head_id
    ) as chain
    left join (
      select id, valid_from from successors where id <> ${replacementId}
      order by valid_from, id limit 1
    ) as follower on true
    cross join wanted
    ${lastSequenceOf(trx.companyId, sql`wanted.id`)}`.execute(trx);
  const [row] = rows;
  const { head_id = null, follower_id = null, follower_start = null } = row ?? {};
  return {
    ...toFoundVersions(rows),
    chainHeadId: head_id,
    followedBy:
      follower_id === null || follower_start === null
        ? null
        : { id: follower_id, validFrom: follower_start },
    lastEnd: row?.last_end ?? null,
  };
}

interface HistoryRow extends EarlierRow {
  readonly head_id: MemoryId | null;
  readonly follower_id: MemoryId | null;
  readonly follower_start: Instant | null;
  readonly last_end: SupersessionHistory["lastEnd"];
}

/**
 * Table expressions for a memory that is restored: `restored` is the memory, and `trimmed` has
 * the versions before it that its replacement trimmed. These end where the replacement starts,
 * and their own supersession gave them a later end (`given_end`). `next_start` is the earliest
 * start of the versions that follow a version's own replacement, up to the memory. null: none do.
 *
 * The walk back ends where such a start is not later than the start of the memory's
 * replacement, because no version before that place gets a later end back.
 */
export function trimmedBy(companyId: CompanyId, id: MemoryId) {
  return sql`restored as (
    select memories.id, memories.valid_from, memories.superseded_by, replacement.valid_from as start
    from memories
    left join lateral (
      select newer.valid_from from memories as newer
      where newer.company_id = ${companyId} and newer.id = memories.superseded_by
      offset 0
    ) as replacement on true
    where memories.company_id = ${companyId} and memories.id = ${id}
  ),
  before (id, valid_from, valid_to, start, next_start, next_start_before) as (
    select id, valid_from, null::timestamptz, start, null::timestamptz, 'infinity'::timestamptz
    from restored where start is not null
    union
    select replaced.id, replaced.valid_from, replaced.valid_to, before.start,
      before.next_start_before, least(before.valid_from, before.next_start_before)
    from before
    cross join lateral (
      select memories.id, memories.valid_from, memories.valid_to from memories
      where memories.company_id = ${companyId} and memories.superseded_by = before.id
      offset 0
    ) as replaced
    where before.next_start_before > before.start
  ),
  trimmed as (
    select before.id, before.valid_to, supersession.given_end,
      nullif(before.next_start, 'infinity') as next_start
    from before
    cross join lateral (
      select (detail->>'valid_to')::timestamptz as given_end from audit_events
      where audit_events.company_id = ${companyId} and audit_events.memory_id = before.id
        and event in ('superseded', 'neighbour_erased')
      order by sequence desc
      limit 1
    ) as supersession
    where before.valid_to = before.start and before.next_start > before.start
      and supersession.given_end > before.start
  )`;
}

export interface FoundTrimmed {
  /** At most `MAX_MOVED_ENDS_A_STATEMENT`. */
  readonly trimmed: readonly TrimmedVersion[];
  /** Whether more are found once the ends of these have moved. */
  readonly hasMore: boolean;
  readonly lastSequences: ReadonlyMap<MemoryId, number>;
}

/** What the replacement of a locked memory, which is locked too, had trimmed. */
export async function findTrimmedVersions(trx: AccountTrx, id: MemoryId): Promise<FoundTrimmed> {
  const { rows } = await sql<TrimmedRow>`
    with recursive ${trimmedBy(trx.companyId, id)}
    select found.*, history.last_sequence
    from (
      select * from trimmed order by id limit ${MAX_MOVED_ENDS_A_STATEMENT}
    ) as found
    ${lastSequenceOf(trx.companyId, sql`found.id`)}`.execute(trx);
  return {
    trimmed: rows.map(({ id, valid_to, given_end, next_start }) => ({
      id,
      validTo: valid_to,
      givenEnd: given_end,
      nextStart: next_start,
    })),
    hasMore: rows.length >= MAX_MOVED_ENDS_A_STATEMENT,
    lastSequences: new Map(rows.map((row) => [row.id, row.last_sequence])),
  };
}

interface TrimmedRow {
  readonly id: MemoryId;
  readonly valid_to: Instant;
  readonly given_end: Instant;
  readonly next_start: Instant | null;
  readonly last_sequence: number;
}
