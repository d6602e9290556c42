import { type RawBuilder, sql } from "kysely";
import type { AuditEvent } from "../domain/audit-event.ts";
import {
  type EarlierVersion,
  type Mover,
  type Start,
  type TrimmedVersion,
  trim,
  untrim,
} from "../domain/chain.ts";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Memory } from "../domain/memory.ts";
import { lockWhatIsFound } from "./memory-locks.ts";
import {
  type FoundMemories,
  type MemoryRow,
  memoryColumns,
  type PageLimits,
  rowsOfPage,
  textBytes,
  toMemory,
  uuidsOf,
} from "./memory-row.ts";
import { writeMemories } from "./memory-writes.ts";
import type { AccountDb, AccountTrx } from "./schema.ts";

/**
 * A step of a walk, as a join: the account's memories that the condition is true of. It is a
 * `lateral` of its own, because a planner that knows nothing of a recursion's size would read
 * the whole table at every step. `union` drops what was seen before, so that no walk is endless.
 */
export function stepTo(
  companyId: CompanyId,
  name: string,
  where: string,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`cross join lateral (
    select ${columns} from memories
    where memories.company_id = ${companyId} and ${sql.raw(where)}
    offset 0
  ) as ${sql.raw(name)}`;
}

/** A table expression: memories and all that follow each along `superseded_by`. */
export function successorsOf(companyId: CompanyId, ids: readonly MemoryId[]) {
  const columns = sql`id, superseded_by, valid_from`;
  return sql`successors (root_id, id, superseded_by, valid_from) as (
    select root.id, memory.* from unnest(${uuidsOf(ids)}) as root (id)
    ${stepTo(companyId, "memory", "id = root.id", columns)}
    union
    select successors.root_id, next.* from successors
    ${stepTo(companyId, "next", "id = successors.superseded_by", columns)}
  )`;
}

/**
 * The versions of the chain of a memory (D18: of a merge, of all branches), by
 * valid_from, created_at, ID, behind `after`, as many as the limits of the page allow (D37).
 * `chainLength`: of the whole chain; 0: the account has no such memory.
 */
export async function findVersions(
  db: AccountDb,
  id: MemoryId,
  page: PageLimits & { readonly after: Pick<Memory, "validFrom" | "createdAt" | "id"> | null },
): Promise<FoundMemories & { readonly chainLength: number }> {
  const { companyId } = db;
  const { after } = page;
  const isBehind =
    after === null
      ? sql`true`
      : sql`(valid_from, created_at, id)
          > (${after.validFrom}::timestamptz, ${after.createdAt}::timestamptz, ${after.id}::uuid)`;
  // What the place of a version depends on: a chain may be far longer than a page.
  const version = sql`id, valid_from, created_at, ${textBytes} as text_bytes`;
  const oldestFirst = sql`order by valid_from, created_at, id`;
  const { rows } = await sql<VersionRow>`
    with recursive ${successorsOf(companyId, [id])},
    chain (id, valid_from, created_at, text_bytes) as (
      select head.*
      from successors
      ${stepTo(companyId, "head", "id = successors.id", version)}
      where successors.superseded_by is null
      union
      select replaced.*
      from chain
      ${stepTo(companyId, "replaced", "superseded_by = chain.id", version)}
    ),
    candidates as (
      ${rowsOfPage(sql`select id, valid_from, created_at, text_bytes from chain where ${isBehind}`, oldestFirst, page)}
    )
    select chain_length, has_more, version.*
    from (select count(*)::int as chain_length from chain) as whole
    left join candidates on true
    left join lateral (
      select ${memoryColumns} from memories
      where memories.company_id = ${companyId} and memories.id = candidates.id
      offset 0
    ) as version on true
    order by candidates.valid_from, candidates.created_at, candidates.id`.execute(db);
  const versions = rows.filter((row) => row.id !== null);
  return {
    memories: versions.map(toMemory),
    hasMore: versions.at(-1)?.has_more ?? false,
    chainLength: rows[0]?.chain_length ?? 0,
  };
}

/** Without a version: the page has none. */
type VersionRow = { readonly chain_length: number } & (
  | (MemoryRow & { readonly has_more: boolean })
  | { readonly id: null }
);

/** Versions whose ends move in one statement. Few statements, since each walks the chain again. */
export const MAX_MOVED_ENDS_A_STATEMENT = 2_000;

/**
 * The table expression `earlier`: memories that end, and the versions before them that may be
 * valid for too long. `roots` has the columns `id` and `start`: a memory that ends, and the
 * earliest start of what follows it. null: nothing follows it.
 *
 * The walk back is mostly short. A version ends where a later one starts, so behind a version
 * that starts at `start` or before, only the versions that this one replaced can end later.
 * They can where a caller chose their end.
 */
function earlierVersions(companyId: CompanyId, roots: RawBuilder<unknown>) {
  const columns = sql`id, valid_from, valid_to`;
  return sql`earlier (root_id, start, id, valid_from, valid_to, goes_on) as (
    select root.id, root.start, memory.*, root.start is not null
    from (${roots}) as root (id, start)
    ${stepTo(companyId, "memory", "id = root.id", columns)}
    union
    select earlier.root_id, earlier.start, replaced.*, earlier.valid_from > earlier.start
    from earlier
    ${stepTo(companyId, "replaced", "superseded_by = earlier.id", columns)}
    where earlier.goes_on
  )`;
}

/** Of a row of `earlier`: the version before the root ends behind the start, and is to be trimmed. */
const areTrimmed = sql`(
  earlier.id <> earlier.root_id and earlier.valid_to > earlier.start
)`;

/** Versions whose ends move, and the histories that tell it. */
interface FoundEarlier {
  /** `MAX_MOVED_ENDS_A_STATEMENT` of them: more may be found once their ends have moved. */
  readonly earlier: readonly EarlierVersion[];
  /** The last sequence of each history, of the memories that end too. */
  readonly lastSequences: ReadonlyMap<MemoryId, number>;
}

/** Versions before these locked memories that end behind their starts; null: nothing follows. */
export async function findEarlierVersions(
  trx: AccountTrx,
  laterStarts: ReadonlyMap<MemoryId, Start | null>,
): Promise<FoundEarlier> {
  const ids = [...laterStarts.keys()];
  if (ids.length === 0) return foundEarlier([]);
  const starts = [...laterStarts.values()].map((start) => start?.validFrom ?? null);
  const roots = sql`select * from unnest(${ids}::uuid[], ${starts}::timestamptz[])`;
  const { rows } = await sql<EarlierRow>`
    with recursive ${earlierVersions(trx.companyId, roots)}
    select wanted.*, "lastSequence" ${wantedVersions(trx.companyId, ids.length)}`.execute(trx);
  return foundEarlier(rows);
}

/** FROM: so many roots of `earlier`, and the first versions to be trimmed. */
function wantedVersions(companyId: CompanyId, roots: number): RawBuilder<unknown> {
  return sql`from (
      select root_id as "rootId", id, valid_to as "validTo" from earlier
      where id = root_id or ${areTrimmed}
      order by id <> root_id, id
      limit ${roots + MAX_MOVED_ENDS_A_STATEMENT}
    ) as wanted
    ${lastSequenceOf(companyId, sql`wanted.id`)}`;
}

/** A join: the `"lastSequence"` of the history of each memory, 0 where it has none. */
export function lastSequenceOf(companyId: CompanyId, id: RawBuilder<unknown>) {
  return sql`cross join lateral (
    select coalesce(max(sequence), 0) as "lastSequence" from audit_events
    where audit_events.company_id = ${companyId} and audit_events.memory_id = ${id}
    offset 0
  ) as history`;
}

interface Numbered {
  readonly id: MemoryId;
  readonly lastSequence: number;
}

/** One of a memory that ends, or of a version before it. */
interface EarlierRow extends Numbered {
  readonly rootId: MemoryId;
  readonly validTo: Instant | null;
}

function foundEarlier(rows: readonly EarlierRow[]): FoundEarlier {
  const earlier = rows.flatMap(({ rootId, id, validTo }) =>
    id === rootId || validTo === null ? [] : { rootId, id, validTo },
  );
  return { earlier, lastSequences: lastSequencesIn(rows) };
}

function lastSequencesIn(rows: readonly Numbered[]): ReadonlyMap<MemoryId, number> {
  return new Map(rows.map(({ id, lastSequence }) => [id, lastSequence]));
}

/** What a supersession depends on, besides the memory and its replacement. */
export interface SupersessionHistory extends FoundEarlier {
  /** The last memory of the replacement's chain; null: there is no replacement. */
  readonly chainHeadId: MemoryId | null;
  /** The earliest start behind the replacement; null: nothing follows it. */
  readonly followedBy: Start | null;
  /** What ended the memory last; null: nothing did. */
  readonly lastEnd: Pick<AuditEvent, "actor" | "detail"> | null;
}

/** `replacementId` null: the memory ends without one. */
export async function readSupersessionHistory(
  trx: AccountTrx,
  memoryId: MemoryId,
  replacementId: MemoryId | null,
): Promise<SupersessionHistory> {
  const roots = sql`select ${memoryId}::uuid, (select min(valid_from) from successors)`;
  const { rows } = await sql<HistoryRow>`
    with recursive
      ${successorsOf(trx.companyId, replacementId === null ? [] : [replacementId])},
      ${earlierVersions(trx.companyId, roots)}
    select wanted.*, "lastSequence", follower.id as "followerId", follower.valid_from as "followerStart",
      (select id from successors where superseded_by is null) as "chainHeadId",
      (
        select jsonb_build_object('actor', actor, 'detail', detail) from audit_events
        where company_id = ${trx.companyId} and memory_id = ${memoryId}
          and event in ('superseded', 'retracted')
        order by sequence desc limit 1
      ) as "lastEnd"
    ${wantedVersions(trx.companyId, 1)}
    left join (
      select id, valid_from from successors where id <> ${replacementId}
      order by valid_from, id limit 1
    ) as follower on true`.execute(trx);
  const { chainHeadId = null, lastEnd = null, followerId = null, followerStart } = rows[0] ?? {};
  const followedBy = followerId && { id: followerId, validFrom: followerStart as Instant };
  return { ...foundEarlier(rows), chainHeadId, followedBy, lastEnd };
}

interface HistoryRow extends EarlierRow, Pick<SupersessionHistory, "chainHeadId" | "lastEnd"> {
  readonly followerId: MemoryId | null;
  readonly followerStart: Instant | null;
}

/** What was trimmed by what had followed a memory. */
interface FoundTrimmed extends Pick<FoundEarlier, "lastSequences"> {
  /** At most `MAX_MOVED_ENDS_A_STATEMENT`, as in `FoundEarlier`. */
  readonly trimmed: readonly TrimmedVersion[];
}

/**
 * The versions before a locked memory that what followed it trimmed, which may be erased by now.
 * `behind` is the earliest start of what follows the replacement that a version's supersession
 * named, up to the memory. A trim from before the memory's end stays where its cause was erased.
 *
 * The walk back ends where such a start is not later than the end of the memory. Nothing that
 * followed it starts before that, so no version before that place gets a later end back.
 */
export async function findTrimmedVersions(trx: AccountTrx, id: MemoryId): Promise<FoundTrimmed> {
  const { companyId } = trx;
  const ofVersion = sql`audit_events.company_id = ${companyId} and audit_events.memory_id = before.id`;
  const columns = sql`id, valid_from, valid_to, superseded_by`;
  const { rows: trimmed } = await sql<TrimmedVersion & Numbered>`
    with recursive
    before (id, valid_from, valid_to, superseded_by, end_at, ended_at, next_start, next_start_before) as (
      select ${columns}, valid_to, superseded_at, null::timestamptz, 'infinity'::timestamptz
      from memories where company_id = ${companyId} and id = ${id}
      union
      select replaced.*, before.end_at, before.ended_at, before.next_start_before,
        least(before.valid_from, before.next_start_before)
      from before
      ${stepTo(companyId, "replaced", "superseded_by = before.id", columns)}
      where before.next_start_before > before.end_at
    )
    select found.*, "lastSequence"
    from (
      select before.id, before.valid_to as "validTo", least(given_end, kept_end) as "givenEnd",
        nullif(behind, 'infinity') as "nextStart"
      from before
      cross join lateral (
        select sequence, (detail->>'valid_to')::timestamptz as given_end,
          case when detail->>'superseded_by' = before.superseded_by::text
            then next_start else next_start_before end as behind
        from audit_events where ${ofVersion} and event = 'superseded'
        order by sequence desc
        limit 1
      ) as supersession
      cross join lateral (
        select min((detail->>'to')::timestamptz) as kept_end from audit_events
        where ${ofVersion} and event = 'trimmed' and sequence > supersession.sequence
          and at < before.ended_at and (
            select id from memories
            where memories.company_id = ${companyId} and memories.id = (detail->>'by')::uuid
          ) is null
      ) as kept
      where before.id <> ${id} and least(given_end, kept_end, behind) > before.valid_to
      order by before.id
      limit ${MAX_MOVED_ENDS_A_STATEMENT}
    ) as found
    ${lastSequenceOf(companyId, sql`found.id`)}`.execute(trx);
  return { trimmed, lastSequences: lastSequencesIn(trimmed) };
}

// A chain may have thousands of versions to trim. The statement that ends its newest version
// trims the first of them; further statements of the same transaction trim the others.

/** Locks the versions that lead to locked memories that end, and are to be trimmed. */
export function lockEarlierVersions(
  trx: AccountTrx,
  laterStarts: ReadonlyMap<MemoryId, Start | null>,
): Promise<FoundEarlier> {
  const look = () => findEarlierVersions(trx, laterStarts);
  return lockWhatIsFound(trx, [], look, ({ earlier }) => earlier.map(({ id }) => id));
}

/**
 * Trims the other versions that lead to the memories that end, once those `before` are: more
 * are found then where these were as many as a statement finds. `laterStarts`: by the memories.
 */
export async function trimRemaining(
  trx: AccountTrx,
  { earlier: before }: FoundEarlier,
  laterStarts: ReadonlyMap<MemoryId, Start | null>,
  mover: Mover,
): Promise<void> {
  if (before.length < MAX_MOVED_ENDS_A_STATEMENT) return;
  const found = await lockEarlierVersions(trx, laterStarts);
  const { ends, events } = trim(found.earlier, ({ rootId }) => laterStarts.get(rootId), mover);
  await writeMemories(trx, { moved: ends, events, lastSequences: found.lastSequences });
  await trimRemaining(trx, found, laterStarts, mover);
}

/** Gives back all that was trimmed by what had followed `memoryId`. */
export async function untrimAll(trx: AccountTrx, memoryId: MemoryId, mover: Mover): Promise<void> {
  const look = () => findTrimmedVersions(trx, memoryId);
  const idsOf = ({ trimmed }: FoundTrimmed) => trimmed.map(({ id }) => id);
  const found = await lockWhatIsFound(trx, [], look, idsOf);
  const { ends, events } = untrim(found.trimmed, memoryId, mover);
  await writeMemories(trx, { moved: ends, events, lastSequences: found.lastSequences });
  if (found.trimmed.length < MAX_MOVED_ENDS_A_STATEMENT) return;
  await untrimAll(trx, memoryId, mover);
}
