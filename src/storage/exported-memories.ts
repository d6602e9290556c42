import { sql } from "kysely";
import { giveWay } from "../concurrency/loop-turns.ts";
import type { HistoryEvent } from "../domain/audit-event.ts";
import { chainOrder, NO_REPLACEMENT } from "../domain/chain.ts";
import type { ExportedMemory } from "../domain/exported-memory.ts";
import { type CompanyId, type MemoryId, toMemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { zip } from "../domain/zip.ts";
import { movesEnd } from "./audit-events.ts";
import { findFirstMemories } from "./memories.ts";
import { selectPage, toProvenance, toTenantColumn, uuidsOf } from "./memory-row.ts";
import type { MemoryEnd } from "./memory-writes.ts";
import type { AccountDb } from "./schema.ts";
import { snapshot } from "./transaction.ts";

/** The memories of a tenant, null being the default one; or of every tenant. */
export type TenantScope =
  | { readonly wholeAccount: false; readonly tenantId: string | null }
  | { readonly wholeAccount: true };

/** What may change of a memory, as it was at one moment. */
export interface SnapshotMemory extends MemoryEnd {
  /** The last event of its history that ended it or took that back; 0: there is none. */
  readonly lastEndSequence: number;
}

/**
 * Which memories there were at one moment, and what of them may change. The rest, and the events of
 * histories, never do, so what was can be read at leisure. What is erased meanwhile is gone.
 */
export interface MemorySnapshot {
  readonly length: number;
  /** A range, by tenant, then chain by chain: a memory stands behind its replacement. */
  slice(start: number, end: number): SnapshotMemory[];
}

/** Of a statement, and of a turn of the event loop, which is held while rows are read. */
const MEMORIES_A_TURN = 2_000;

/**
 * Which memories there are at this moment, in one transaction that reads a few numbers of
 * each. null: there are more than `maxMemories`. Rejects when the client has left.
 */
export async function takeSnapshot(
  db: AccountDb,
  scope: TenantScope,
  maxMemories: number,
  signal: AbortSignal,
): Promise<MemorySnapshot | null> {
  const { companyId } = db;
  const isInScope = scope.wholeAccount
    ? sql`true`
    : sql`tenant_id = ${toTenantColumn(scope.tenantId)}`;
  const table = await snapshot(db, async (trx) => {
    const counted = await sql<{ count: number }>`
      select count(*) as count from memories
      where company_id = ${companyId} and ${isInScope}`.execute(trx);
    const count = counted.rows[0]?.count ?? 0;
    if (count > maxMemories) return null;
    const table = new SnapshotTable(count);
    for (let isBehind = sql`true`; table.length < count; ) {
      const { rows } = await sql<SnapshotRow>`
        select tenant_id as "tenantId", ${changingColumns(companyId)} from memories
        where memories.company_id = ${companyId} and ${isInScope} and ${isBehind}
        order by tenant_id, id
        limit ${MEMORIES_A_TURN}`.execute(trx);
      for (const row of rows) table.add(row);
      const last = rows.at(-1);
      isBehind = sql`(tenant_id, id) > (${last?.tenantId}, ${last?.id}::uuid)`;
    }
    return table;
  });
  return table === null ? null : table.inOrder(signal);
}

function changingColumns(companyId: CompanyId) {
  return sql`id, valid_to as "validTo", superseded_by as "supersededBy",
    superseded_at as "supersededAt", (
      select coalesce(max(sequence), 0) from audit_events
      where audit_events.company_id = ${companyId} and audit_events.memory_id = memories.id
        and ${movesEnd}
    ) as "lastEndSequence"`;
}

/** Those of these memories that the account has, as they are at this moment; in no order. */
export async function findSnapshotMemories(db: AccountDb, ids: readonly MemoryId[]) {
  const { rows } = await sql<SnapshotMemory>`
    select ${changingColumns(db.companyId)} from memories
    where memories.company_id = ${db.companyId} and id = any(${uuidsOf(ids)})`.execute(db);
  return rows;
}

interface SnapshotRow extends SnapshotMemory {
  readonly tenantId: string;
}

const ID_BYTES = 36;
/** No time that is stored. */
const NONE = -(2n ** 63n);

/** Rows in 100 bytes each, since there may be a million. */
class SnapshotTable {
  length = 0;
  #tenantId: string | undefined;
  readonly #tenantStarts: number[] = [];
  readonly #ids: Buffer;
  readonly #replacementIds: Buffer;
  readonly #replacements: Int32Array;
  readonly #ends: BigInt64Array;
  readonly #supersededAt: BigInt64Array;
  readonly #lastEndSequences: Int32Array;

  constructor(capacity: number) {
    this.#ids = Buffer.alloc(capacity * ID_BYTES);
    this.#replacementIds = Buffer.alloc(capacity * ID_BYTES);
    this.#replacements = new Int32Array(capacity).fill(NO_REPLACEMENT);
    this.#ends = new BigInt64Array(capacity);
    this.#supersededAt = new BigInt64Array(capacity);
    this.#lastEndSequences = new Int32Array(capacity);
  }

  /** Rows come by tenant and ID. */
  add(row: SnapshotRow): void {
    const place = this.length++;
    if (row.tenantId !== this.#tenantId) this.#tenantStarts.push(place);
    this.#tenantId = row.tenantId;
    this.#ids.write(row.id, place * ID_BYTES);
    this.#replacementIds.write(row.supersededBy ?? "", place * ID_BYTES);
    this.#ends[place] = row.validTo ?? NONE;
    this.#supersededAt[place] = row.supersededAt ?? NONE;
    this.#lastEndSequences[place] = row.lastEndSequence;
  }

  /** When all rows are there. Rejects when the client has left. */
  async inOrder(signal: AbortSignal): Promise<MemorySnapshot> {
    for (const [index, start] of this.#tenantStarts.entries()) {
      const end = this.#tenantStarts[index + 1] ?? this.length;
      for (let place = start; place < end; place++) {
        if (place % MEMORIES_A_TURN === 0) await giveWay(signal);
        const id = this.#replacementIds.subarray(place * ID_BYTES, (place + 1) * ID_BYTES);
        // A replacement is of the same tenant.
        if (id[0] !== 0) this.#replacements[place] = this.#placeOf(id, start, end);
      }
    }
    const order = chainOrder(this.#replacements);
    return {
      length: order.length,
      slice: (from, to) => Array.from(order.subarray(from, to), (place) => this.#at(place)),
    };
  }

  /** Among those rows, which are in the order of their IDs. */
  #placeOf(id: Buffer, start: number, end: number): number {
    while (start < end) {
      const middle = (start + end) >>> 1;
      const order = id.compare(this.#ids, middle * ID_BYTES, (middle + 1) * ID_BYTES);
      if (order === 0) return middle;
      if (order < 0) end = middle;
      else start = middle + 1;
    }
    throw new Error("A memory is replaced by none of its tenant");
  }

  #at(place: number): SnapshotMemory {
    const replacement = this.#replacements[place] ?? NO_REPLACEMENT;
    return {
      id: this.#idAt(place),
      validTo: instant(this.#ends[place]),
      supersededBy: replacement === NO_REPLACEMENT ? null : this.#idAt(replacement),
      supersededAt: instant(this.#supersededAt[place]),
      lastEndSequence: this.#lastEndSequences[place] ?? 0,
    };
  }

  #idAt(place: number): MemoryId {
    return toMemoryId(this.#ids.toString("latin1", place * ID_BYTES, (place + 1) * ID_BYTES));
  }
}

function instant(value: bigint | undefined): Instant | null {
  return value === undefined || value === NONE ? null : value;
}

/** A memory without its history, and what says how long that was. */
export interface MemoryFacts extends Omit<ExportedMemory, "history"> {
  readonly then: SnapshotMemory;
}

/**
 * The first of these memories, as many as have `maxTextBytes` of text and one at least, as
 * they were at the moment of the snapshot. Those that were erased since are left out.
 * `looked`: of those that were asked for, how many are found or gone.
 */
export async function findFacts(
  db: AccountDb,
  wanted: readonly SnapshotMemory[],
  maxTextBytes: number,
): Promise<{ readonly found: readonly MemoryFacts[]; readonly looked: number }> {
  const ids = wanted.map(({ id }) => id);
  const { rows, memories, looked } = await findFirstMemories(db, ids, maxTextBytes);
  const found = zip(rows, memories).flatMap(([row, stored]) => {
    const then = wanted[row.place - 1];
    if (then === undefined) return [];
    const { validTo, supersededBy, supersededAt } = then;
    const memory = { ...stored, validTo, supersededBy, supersededAt };
    const { stated_at: statedAt, category } = row;
    return [{ memory, provenance: toProvenance(row), statedAt, category, then }];
  });
  return { found, looked };
}

/** An event, and the place of its memory among those that were asked for. */
export interface FoundEvent extends HistoryEvent {
  readonly place: number;
  readonly sequence: number;
}

type EventScope = readonly Pick<SnapshotMemory, "id" | "lastEndSequence">[];

/** Of a statement; one memory may have more. */
const EVENTS_A_STATEMENT = 1_000;
const EVENT_BYTES_A_STATEMENT = 1024 * 1024;
/** Of a memory that never ended. */
const FIRST_EVENTS = 3;

/** The histories of these memories, as they were at the snapshot, without what was erased since. */
export async function* readEvents(db: AccountDb, wanted: EventScope): AsyncGenerator<FoundEvent> {
  for (let start = 0, after = 0; start < wanted.length; ) {
    // So many memories that one statement is likely to find all of their events.
    let end = start;
    for (let events = 0; end < wanted.length && events < EVENTS_A_STATEMENT; end++) {
      events += Math.max(wanted[end]?.lastEndSequence ?? 0, FIRST_EVENTS);
    }
    const { rows, hasMore } = await selectEvents(db, wanted.slice(start, end), after);
    for (const row of rows) yield { ...row, place: start + row.place - 1 };
    const last = rows.at(-1);
    start = hasMore && last ? start + last.place - 1 : end;
    after = hasMore && last ? last.sequence : 0;
  }
}

/** `after`: behind this one of the first memory. Places are counted from 1. */
async function selectEvents(db: AccountDb, wanted: EventScope, after: number) {
  const ids = wanted.map(({ id }) => id);
  const lastSequences = wanted.map(({ lastEndSequence }) => lastEndSequence);
  const found = sql<FoundEvent>`
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
