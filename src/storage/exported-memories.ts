import { sql } from "kysely";
import type { HistoryEvent } from "../domain/audit-event.ts";
import type { ExportedMemory } from "../domain/exported-memory.ts";
import type { Instant } from "../domain/instant.ts";
import { movesEnd } from "./audit-events.ts";
import { bytesSoFar, fitsPage, hasMoreBehind, textBytes } from "./memory-page.ts";
import {
  type MemoryRow,
  memoryColumns,
  type ProvenanceRow,
  provenanceColumns,
  toMemory,
  toProvenance,
  uuidsOf,
} from "./memory-row.ts";
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
  const order = sql`order by place`;
  const { rows } = await sql<FactsRow>`
    with candidates as (
      select wanted.id, wanted.place, ${textBytes} as text_bytes,
        ${bytesSoFar(textBytes, order)} as text_bytes_so_far,
        ${hasMoreBehind(order)} as has_more
      from unnest(${uuidsOf(wanted.map(({ id }) => id))}) with ordinality as wanted (id, place)
      join memories on memories.company_id = ${db.companyId} and memories.id = wanted.id
    )
    select place, has_more, ${memoryColumns}, ${provenanceColumns},
      coalesce(stated_at, valid_from) as stated_at, category
    from candidates
    join memories on memories.company_id = ${db.companyId} and memories.id = candidates.id
    where ${fitsPage({ maxTextBytes })}
    ${order}`.execute(db);
  const found = rows.flatMap((row) => {
    const then = wanted[row.place - 1];
    if (then === undefined) return [];
    const { validTo, supersededBy, supersededAt } = then;
    const memory = { ...toMemory(row), validTo, supersededBy, supersededAt };
    const { stated_at: statedAt, category } = row;
    return [{ memory, provenance: toProvenance(row), statedAt, category, then }];
  });
  const last = rows.at(-1);
  return { found, looked: last?.has_more ? last.place : wanted.length };
}

interface FactsRow extends MemoryRow, ProvenanceRow {
  /** Counted from 1. */
  readonly place: number;
  readonly has_more: boolean;
  readonly stated_at: Instant;
  readonly category: string | null;
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
    const rows = await selectEvents(db, wanted.slice(start, end), after);
    for (const { place, sequence, has_more: _, ...event } of rows) {
      yield { place: start + place - 1, sequence, event };
    }
    const last = rows.at(-1);
    start = last?.has_more ? start + last.place - 1 : end;
    after = last?.has_more ? last.sequence : 0;
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
  readonly has_more: boolean;
}

/** `after`: behind this one of the first memory. */
async function selectEvents(
  db: AccountDb,
  wanted: EventScope,
  after: number,
): Promise<readonly EventRow[]> {
  const ids = wanted.map(({ id }) => id);
  const lastSequences = wanted.map(({ lastEndSequence }) => lastEndSequence);
  const order = sql`order by place, sequence`;
  const { rows } = await sql<EventRow>`
    with candidates as (
      select wanted.place, history.*, pg_column_size(history.detail) as bytes,
        ${bytesSoFar(sql`pg_column_size(history.detail)`, order)} as bytes_so_far,
        ${hasMoreBehind(order)} as has_more
      from unnest(${uuidsOf(ids)}, ${lastSequences}::int[]) with ordinality
        as wanted (id, last_sequence, place)
      cross join lateral (
        select sequence, event, at, actor, detail from audit_events
        where audit_events.company_id = ${db.companyId} and audit_events.memory_id = wanted.id
          and (not ${movesEnd} or sequence <= last_sequence)
          and (place > 1 or sequence > ${after})
        order by sequence
        limit ${EVENTS_A_STATEMENT + 1}
      ) as history
      ${order}
      limit ${EVENTS_A_STATEMENT}
    )
    select place, sequence, event, at, actor, detail, has_more from candidates
    where bytes_so_far <= ${EVENT_BYTES_A_STATEMENT} or bytes_so_far = bytes
    ${order}`.execute(db);
  return rows;
}
