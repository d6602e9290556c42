import type { HistoryEvent } from "../domain/audit-event.ts";
import type { ExportedMemory } from "../domain/exported-memory.ts";
import { Failure } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import {
  type FoundEvent,
  findFacts,
  type MemoryFacts,
  readEvents,
} from "../storage/exported-memories.ts";
import type { AccountDb } from "../storage/schema.ts";
import type { SnapshotMemory } from "../storage/snapshot-table.ts";

/** That are read at once. */
const TEXT_BYTES_A_PAGE = 1024 * 1024;
/** What is longer comes before its memory in parts, so that a line has a limit. */
const MAX_HISTORY_CHARACTERS = 128 * 1024;
const RETRY_AFTER_SECONDS = 1;

/** A memory, or the first part of a history that is too long to stand beside its memory. */
export type ExportedLine =
  | { readonly kind: "memory"; readonly memory: ExportedMemory }
  | {
      readonly kind: "events";
      readonly memoryId: MemoryId;
      readonly events: readonly HistoryEvent[];
    };

/**
 * These memories as they were then, in order. What was erased since is left out; throws
 * `overloaded` where that happened to one while its history was read.
 */
export async function* readExportedLines(
  db: AccountDb,
  wanted: readonly SnapshotMemory[],
): AsyncGenerator<ExportedLine> {
  for (let rest = wanted; rest.length > 0; ) {
    const { found, looked } = await findFacts(db, rest, TEXT_BYTES_A_PAGE);
    const then = found.map((facts) => facts.then);
    yield* withHistories(found, readEvents(db, then));
    rest = rest.slice(looked);
  }
}

/** Each with its history; what was erased before all of it was read is left out. */
async function* withHistories(
  found: readonly MemoryFacts[],
  events: AsyncIterable<FoundEvent>,
): AsyncGenerator<ExportedLine> {
  let history = new HistoryInParts(found[0]);
  for await (const { place, sequence, event } of events) {
    if (found[place] !== history.facts) {
      yield* history.end();
      history = new HistoryInParts(found[place]);
    }
    yield* history.add(event, sequence);
  }
  yield* history.end();
}

class HistoryInParts {
  readonly facts: MemoryFacts | undefined;
  #events: HistoryEvent[] = [];
  #characters = 0;
  #lastSequence = 0;
  #isBegun = false;

  constructor(facts: MemoryFacts | undefined) {
    this.facts = facts;
  }

  /** With the events before it, where they are a part. */
  *add(event: HistoryEvent, sequence: number): Generator<ExportedLine> {
    const characters = JSON.stringify(event.detail).length;
    const isFull = this.#characters + characters > MAX_HISTORY_CHARACTERS;
    if (isFull && this.#events.length > 0 && this.facts !== undefined) {
      yield { kind: "events", memoryId: this.facts.memory.id, events: this.#events };
      this.#isBegun = true;
      this.#events = [];
      this.#characters = 0;
    }
    this.#events.push(event);
    this.#characters += characters;
    this.#lastSequence = sequence;
  }

  /** The memory with the rest. */
  *end(): Generator<ExportedLine> {
    if (this.facts === undefined) return;
    const { then, ...memory } = this.facts;
    const isWhole = this.#events.length > 0 && this.#lastSequence >= then.lastEndSequence;
    if (isWhole) yield { kind: "memory", memory: { ...memory, history: this.#events } };
    else if (this.#isBegun) {
      throw new Failure("overloaded", "a memory was erased while it was exported; try again", {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
  }
}
