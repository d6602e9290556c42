import { sql } from "kysely";
import type { TrimmedVersion } from "../domain/chain.ts";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { lastSequenceOf, MAX_MOVED_ENDS_A_STATEMENT } from "./earlier-versions.ts";
import type { AccountTrx } from "./schema.ts";

/**
 * Table expressions: `restored` is a memory, and `trimmed` (id, valid_to, given_end,
 * next_start) of what it replaced, all the way back, what ends where its replacement starts
 * and would not without it. `next_start` is the earliest start behind a version's
 * replacement, up to the memory; behind one that starts no later than the replacement of the
 * memory, nothing is to be given back.
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
        and event = 'superseded'
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
