import { sql } from "kysely";
import type { HistoryEvent } from "../domain/audit-event.ts";
import type { ExportedMemory } from "../domain/exported-memory.ts";
import { movesEnd } from "./audit-events.ts";
import { selectFirst } from "./memory-list.ts";
import { selectPage } from "./memory-page.ts";
import { toMemory, toProvenance, uuidsOf } from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";
import type { SnapshotMemory } from "./snapshot-table.ts";

/** A memory without its history, and what says how long that was. */
export interface MemoryFacts extends Omit<ExportedMemory, "history"> {
  readonly then: SnapshotMemory;
}

export interface FoundFacts {
  /** In the order in which they were asked for. */
  readonly found: readonly MemoryFacts[];
  /** Of those that were asked for, how many are found or gone. */
  readonly looked: number;
}

/**
 * The first of these memories, as many as have `maxTextBytes` of text and one at least, as
 * they were at the moment of the snapshot. Those that were erased since are left out.
 */
export async function findFacts(
  db: AccountDb,
  wanted: readonly SnapshotMemory[],
  maxTextBytes: number,
): Promise<FoundFacts> {
  const ids = wanted.map(({ id }) => id);
  const { rows, looked } = await selectFirst(db, ids, maxTextBytes);
  const found = rows.flatMap((row) => {
    const then = wanted[row.place - 1];
    if (then === undefined) return [];
    const { validTo, supersededBy, supersededAt } = then;
    const memory = { ...toMemory(row), validTo, supersededBy, supersededAt };
    const { stated_at: statedAt, category } = row;
    return [{ memory, provenance: toProvenance(row), statedAt, category, then }];
  });
  return { found, looked };
}

/** An event, and the place of its memory among those that were asked for. */
export interface FoundEvent {
  readonly place: number;
  readonly sequence: number;
  readonly event: HistoryEvent;
}

type EventScope = readonly Pick<SnapshotMemory, "id" | "lastEndSequence">[];

/** Of a statement; one memory may have more. */
const EVENTS_A_STATEMENT = 1_000;
const EVENT_BYTES_A_STATEMENT = 1024 * 1024;
/** Of a memory that never ended. */
const FIRST_EVENTS = 3;

/**
 * The histories of these memories, one behind the other, as they were at the moment of the
 * snapshot. What was erased since is left out.
 */
export async function* readEvents(db: AccountDb, wanted: EventScope): AsyncGenerator<FoundEvent> {
  for (let start = 0, after = 0; start < wanted.length; ) {
    const end = endOfPart(wanted, start);
    const { rows, hasMore } = await selectEvents(db, wanted.slice(start, end), after);
    for (const { place, sequence, event, at, actor, detail } of rows) {
      yield { place: start + place - 1, sequence, event: { event, at, actor, detail } };
    }
    const last = rows.at(-1);
    start = hasMore && last ? start + last.place - 1 : end;
    after = hasMore && last ? last.sequence : 0;
  }
}

/** So many memories that one statement is likely to find all of their events. */
function endOfPart(wanted: EventScope, start: number): number {
  let events = 0;
  let end = start;
  do {
    events += Math.max(wanted[end++]?.lastEndSequence ?? 0, FIRST_EVENTS);
  } while (end < wanted.length && events < EVENTS_A_STATEMENT);
  return end;
}

interface EventRow extends HistoryEvent {
  /** Counted from 1. */
  readonly place: number;
  readonly sequence: number;
}

/** `after`: behind this one of the first memory. */
async function selectEvents(db: AccountDb, wanted: EventScope, after: number) {
  const ids = wanted.map(({ id }) => id);
  const lastSequences = wanted.map(({ lastEndSequence }) => lastEndSequence);
  const found = sql<EventRow>`
    select wanted.place, history.*, pg_column_size(history.detail) as text_bytes
    from unnest(${uuidsOf(ids)}, ${lastSequences}::int[]) with ordinality
      as wanted (id, last_sequence, place)
    cross join lateral (
      select sequence, event, at, actor, detail from audit_events
      where audit_events.company_id = ${db.companyId} and audit_events.memory_id = wanted.id
        and (not ${movesEnd} or sequence <= last_sequence)
        and (place > 1 or sequence > ${after})
      order by sequence
      limit ${EVENTS_A_STATEMENT + 1}
    ) as history`;
  const limits = { limit: EVENTS_A_STATEMENT, maxTextBytes: EVENT_BYTES_A_STATEMENT };
  return selectPage(db, found, sql`order by place, sequence`, limits);
}
