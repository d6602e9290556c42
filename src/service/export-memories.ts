import type { HistoryEvent } from "../domain/audit-event.ts";
import type { ExportedMemory } from "../domain/exported-memory.ts";
import { type Failure, invalidField, overtaken } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import {
  type FoundEvent,
  findFacts,
  type MemoryFacts,
  type MemorySnapshot,
  readEvents,
  type SnapshotMemory,
  type TenantScope,
  takeSnapshot,
} from "../storage/exported-memories.ts";
import type { AccountDb } from "../storage/schema.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { admitReader } from "./plan.ts";

export type { TenantScope } from "../storage/exported-memories.ts";

/** The memories of one export. Their IDs and order are held in memory: 100 bytes for each. */
export const MAX_EXPORTED_MEMORIES = 1_000_000;
const MEMORIES_A_PAGE = 100;

/**
 * All that a tenant, or the account, holds at the moment of the call, in an order in which
 * it can be imported piece by piece: a memory comes behind its replacement, and tenants one
 * after the other. It is read as it is taken. What is erased meanwhile may be left out;
 * nothing else that is done meanwhile shows.
 *
 * Throws `plan_blocked`, and `invalid_field` where there are more than MAX_EXPORTED_MEMORIES.
 * To take a line throws, very rarely, `overloaded` where a memory was erased while its
 * history was read. Whether the key still holds, whoever hands a line on looks at.
 */
export async function exportMemories(
  context: ServiceContext,
  caller: Caller,
  scope: TenantScope,
  signal: AbortSignal,
): Promise<AsyncIterable<ExportedLine>> {
  admitReader(context, caller);
  const snapshot = await takeSnapshot(caller.db, scope, MAX_EXPORTED_MEMORIES, signal);
  if (snapshot === null) throw tooMany(scope);
  const { companyId, apiKeyId } = caller;
  const progress = { exportedCount: 0 };
  // Aborted when the call is over too: a client that leaves never asks for the end.
  const tell = () =>
    context.log.info(
      { account: companyId, key_id: apiKeyId, ...scope, ...progress },
      "memories were exported",
    );
  signal.addEventListener("abort", tell, { once: true });
  return readLines(caller, snapshot, progress);
}

async function* readLines(
  { db }: Caller,
  snapshot: MemorySnapshot,
  progress: { exportedCount: number },
): AsyncGenerator<ExportedLine> {
  const leftOut = new Set<MemoryId>();
  for (let start = 0; start < snapshot.length; start += MEMORIES_A_PAGE) {
    const page = snapshot.slice(start, start + MEMORIES_A_PAGE);
    for await (const line of readExportedLines(db, page, leftOut)) {
      if (line.kind === "memory") progress.exportedCount++;
      yield line;
    }
  }
}

function tooMany({ wholeAccount }: TenantScope): Failure {
  const most = MAX_EXPORTED_MEMORIES.toLocaleString("en");
  return wholeAccount
    ? invalidField("whole_account", `must not be of more than ${most} memories: export by tenant`)
    : invalidField("tenant_id", `must not be of more than ${most} memories`);
}

/** Text that one statement reads. */
const TEXT_BYTES_A_PAGE = 1024 * 1024;
/** A longer history comes before its memory in parts, so that a line has a limit. */
const MAX_HISTORY_CHARACTERS = 128 * 1024;

/** A memory, or the first part of a history that is too long to stand beside its memory. */
export type ExportedLine =
  | { readonly kind: "memory"; readonly memory: ExportedMemory }
  | {
      readonly kind: "events";
      readonly memoryId: MemoryId;
      readonly events: readonly HistoryEvent[];
    };

/**
 * These memories as they were then, in order. What was erased since is left out and added to
 * `leftOut`, where it is given; throws `overloaded` where that happened to one while its history
 * was read, or to the replacement, on a line before, of one that is there.
 */
export async function* readExportedLines(
  db: AccountDb,
  wanted: readonly SnapshotMemory[],
  leftOut?: Set<MemoryId>,
): AsyncGenerator<ExportedLine> {
  for (let rest = wanted; rest.length > 0; ) {
    const { found, looked } = await findFacts(db, rest, TEXT_BYTES_A_PAGE);
    const then = found.map((facts) => facts.then);
    for (const { id } of rest.slice(0, looked)) leftOut?.add(id);
    for await (const line of withHistories(found, readEvents(db, then))) {
      if (line.kind === "memory") {
        const { id, supersededBy } = line.memory.memory;
        leftOut?.delete(id);
        if (supersededBy !== null && leftOut?.has(supersededBy))
          throw overtaken("a memory was erased while it was exported");
      }
      yield line;
    }
    rest = rest.slice(looked);
  }
}

/** Each with its history; what was erased before all of it was read is left out. */
async function* withHistories(
  found: readonly MemoryFacts[],
  events: AsyncIterable<FoundEvent>,
): AsyncGenerator<ExportedLine> {
  let [facts] = found;
  let history: HistoryEvent[] = [];
  let characters = 0;
  let lastSequence = 0;
  let isBegun = false;
  for await (const { place, sequence, ...event } of events) {
    if (found[place] !== facts) {
      yield* whole();
      facts = found[place];
      [history, characters, isBegun] = [[], 0, false];
    }
    const more = JSON.stringify(event.detail).length;
    const isFull = characters + more > MAX_HISTORY_CHARACTERS && history.length > 0;
    if (isFull && facts !== undefined) {
      yield { kind: "events", memoryId: facts.memory.id, events: history };
      [history, characters, isBegun] = [[], 0, true];
    }
    history.push(event);
    characters += more;
    lastSequence = sequence;
  }
  yield* whole();

  /** The memory with the rest of its history. */
  function* whole(): Generator<ExportedLine> {
    if (facts === undefined) return;
    const { then, ...memory } = facts;
    const isWhole = history.length > 0 && lastSequence >= then.lastEndSequence;
    if (isWhole) yield { kind: "memory", memory: { ...memory, history } };
    else if (isBegun) throw overtaken("a memory was erased while it was exported");
  }
}
