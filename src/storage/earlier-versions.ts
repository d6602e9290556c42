import { type RawBuilder, sql } from "kysely";
import type { EarlierVersion, Start } from "../domain/chain.ts";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { AccountTrx } from "./schema.ts";

/** Versions whose ends move in one statement: while it runs, others may wait for its connection. */
export const MAX_MOVED_ENDS_A_STATEMENT = 500;

/**
 * A table expression: memories that end, `roots` (id, start), and of what they replaced, all
 * the way back, what may hold past `start`, the earliest start of what follows them.
 *
 * The way back is mostly short. A version does not hold past the start of what its
 * replacement led to before, so behind a version that starts no later than `start` only
 * what that one replaced itself can hold longer, by an end that a caller chose.
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

/** Of the table above: the versions that hold past the start. */
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
 * Of locked memories that end, and what they replaced, all the way back, what holds past the
 * start that each is given: null where nothing follows it. A statement of its own, because
 * one that waited for a lock sees chains as they were before.
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
    wanted as (
      select root_id, id, valid_to from earlier
      where id = root_id or ${areTrimmed}
      order by id <> root_id, id
      limit ${ids.length + MAX_MOVED_ENDS_A_STATEMENT}
    )
    select wanted.*, history.last_sequence
    from wanted
    ${lastSequenceOf(trx.companyId, sql`wanted.id`)}`.execute(trx);
  return toFoundVersions(rows);
}

/** A join: `history` (last_sequence) of each memory, 0 where it has none. */
export function lastSequenceOf(companyId: CompanyId, id: RawBuilder<unknown>) {
  return sql`cross join lateral (
    select coalesce(max(sequence), 0) as last_sequence from audit_events
    where audit_events.company_id = ${companyId} and audit_events.memory_id = ${id}
    offset 0
  ) as history`;
}

/** One of a memory that ends, or of a version before it. */
export interface EarlierRow {
  readonly root_id: MemoryId;
  readonly id: MemoryId;
  readonly valid_to: Instant | null;
  readonly last_sequence: number;
}

export function toFoundVersions(rows: readonly EarlierRow[]): FoundVersions {
  const earlier = rows.flatMap(({ root_id: rootId, id, valid_to: validTo }) =>
    id === rootId || validTo === null ? [] : { rootId, id, validTo },
  );
  return {
    earlier,
    hasMore: earlier.length >= MAX_MOVED_ENDS_A_STATEMENT,
    lastSequences: new Map(rows.map(({ id, last_sequence }) => [id, last_sequence])),
  };
}
