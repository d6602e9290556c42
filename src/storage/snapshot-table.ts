import { giveWay } from "../concurrency/loop-turns.ts";
import { chainOrder, NO_REPLACEMENT } from "../domain/chain.ts";
import { type MemoryId, toMemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";

/** What may change of a memory, as it was at one moment. */
export interface SnapshotMemory {
  readonly id: MemoryId;
  readonly validTo: Instant | null;
  readonly supersededBy: MemoryId | null;
  readonly supersededAt: Instant | null;
  /** The last event of its history that ended it or took that back; 0: there is none. */
  readonly lastEndSequence: number;
}

/**
 * Which memories there were at one moment, and all of them that may change: the rest of a
 * memory, and the events of its history, never do. So what was, can be read for as long as
 * its reader takes, whatever is written meanwhile; what is erased meanwhile is gone.
 */
export interface MemorySnapshot {
  readonly length: number;
  /**
   * Those from one place to before another. Tenant by tenant, and there chain by chain, by
   * the IDs of their heads: a memory stands behind its replacement.
   */
  slice(start: number, end: number): SnapshotMemory[];
}

export interface SnapshotRow extends SnapshotMemory {
  readonly tenantId: string;
}

const ID_BYTES = 16;
/** Replacements that are looked up in one turn of the event loop: a few milliseconds. */
const MEMORIES_A_TURN = 2_000;
const NO_ID = Buffer.alloc(ID_BYTES);
/** No time that is stored. */
const NONE = -(2n ** 63n);

/** Rows in 60 bytes each, since there may be a million. */
export class SnapshotTable {
  #length = 0;
  #tenantId: string | undefined;
  /** Where the rows of each tenant begin. */
  readonly #tenantStarts: number[] = [];
  readonly #ids: Buffer;
  readonly #replacementIds: Buffer;
  readonly #replacements: Int32Array;
  readonly #ends: BigInt64Array;
  readonly #supersededAt: BigInt64Array;
  readonly #lastEndSequences: Int32Array;

  /** For so many rows. */
  constructor(capacity: number) {
    this.#ids = Buffer.alloc(capacity * ID_BYTES);
    this.#replacementIds = Buffer.alloc(capacity * ID_BYTES);
    this.#replacements = new Int32Array(capacity).fill(NO_REPLACEMENT);
    this.#ends = new BigInt64Array(capacity);
    this.#supersededAt = new BigInt64Array(capacity);
    this.#lastEndSequences = new Int32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Rows come by tenant and ID. */
  add(row: SnapshotRow): void {
    if (row.tenantId !== this.#tenantId) this.#tenantStarts.push(this.#length);
    this.#tenantId = row.tenantId;
    const place = this.#length++;
    writeId(this.#ids, place, row.id);
    if (row.supersededBy !== null) writeId(this.#replacementIds, place, row.supersededBy);
    this.#ends[place] = row.validTo ?? NONE;
    this.#supersededAt[place] = row.supersededAt ?? NONE;
    this.#lastEndSequences[place] = row.lastEndSequence;
  }

  /** When all rows are there. Rejects when the client has left. */
  async inOrder(signal: AbortSignal): Promise<MemorySnapshot> {
    for (const [index, start] of this.#tenantStarts.entries()) {
      const end = this.#tenantStarts[index + 1] ?? this.#length;
      for (let place = start; place < end; place++) {
        if (place % MEMORIES_A_TURN === 0) await giveWay(signal);
        const id = this.#replacementIds.subarray(place * ID_BYTES, (place + 1) * ID_BYTES);
        // A replacement is of the same tenant.
        if (!id.equals(NO_ID)) this.#replacements[place] = this.#placeOf(id, start, end);
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
      const from = middle * ID_BYTES;
      const order = this.#ids.compare(id, 0, ID_BYTES, from, from + ID_BYTES);
      if (order === 0) return middle;
      if (order < 0) start = middle + 1;
      else end = middle;
    }
    throw new Error("A memory is replaced by none of its tenant");
  }

  #at(place: number): SnapshotMemory {
    const replacement = this.#replacements[place] ?? NO_REPLACEMENT;
    return {
      id: readId(this.#ids, place),
      validTo: instant(this.#ends[place]),
      supersededBy: replacement === NO_REPLACEMENT ? null : readId(this.#ids, replacement),
      supersededAt: instant(this.#supersededAt[place]),
      lastEndSequence: this.#lastEndSequences[place] ?? 0,
    };
  }
}

function instant(value: bigint | undefined): Instant | null {
  return value === undefined || value === NONE ? null : value;
}

function writeId(ids: Buffer, place: number, id: MemoryId): void {
  ids.write(id.replaceAll("-", ""), place * ID_BYTES, "hex");
}

function readId(ids: Buffer, place: number): MemoryId {
  const hex = ids.toString("hex", place * ID_BYTES, (place + 1) * ID_BYTES);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return toMemoryId([...parts, hex.slice(20)].join("-"));
}
