import type { Json } from "../../grpc/clients/api-client.ts";
import { type Call, labelOf, type Recording } from "./call.ts";
import type { MemoryRow, Rows } from "./rows.ts";

/** A write, with all calls that asked for it: several where it had an idempotency key. */
export interface Write {
  /** The source of all its memories. */
  readonly label: string;
  readonly account: number;
  /** "": the default tenant, as rows have it. */
  readonly tenant: string;
  readonly calls: readonly Call[];
  /** What was sent, as it is to be stored; null: it is found in a conversation. */
  readonly items: readonly WrittenItem[] | null;
  /** How many memories it makes, unless the quota cuts it short. */
  readonly facts: number;
  readonly startedAt: number;
  /** When its last call ended; Infinity where one may still have gone on. */
  readonly endedAt: number;
  /** When its first success was known; Infinity: never. */
  readonly acknowledgedAt: number;
  /** What its first success said, a partial one included; null: none. */
  readonly answer: Json | null;
  /** Of that answer; of an import, of what went furthest. */
  readonly ids: readonly string[];
  /** How many writes it takes of the quota. */
  readonly counted: { readonly least: number; readonly most: number };
  /** Whether it may have been done: not every call was refused. */
  readonly isPossible: boolean;
}

export type WrittenItem = Pick<MemoryRow, "decision" | "topic" | "importance_score">;

export interface Erasure {
  /** Whether it is of less than a tenant. */
  readonly isNarrowed: boolean;
  covers(write: Write): boolean;
  readonly call: Call;
  /** null: of every tenant. */
  readonly tenant: string | null;
  readonly startedAt: number;
  /** Infinity where it may have gone on. */
  readonly endedAt: number;
  readonly isAcknowledged: boolean;
}

/** What ended a memory, as an answer said. */
export interface End {
  readonly call: Call;
  readonly memoryId: string;
  readonly supersededBy: string | null;
  readonly validTo: string;
  readonly isAutomatic: boolean;
}

/** What is known of one account once a history was played. */
export interface Knowledge {
  readonly account: number;
  readonly calls: readonly Call[];
  readonly writes: readonly Write[];
  readonly writeByLabel: ReadonlyMap<string, Write>;
  /** By the ID of a memory that an answer named. */
  readonly writeById: ReadonlyMap<string, Write>;
  readonly erasures: readonly Erasure[];
  readonly ends: readonly End[];
  readonly endsById: ReadonlyMap<string, readonly End[]>;
  /** Restores that were, or may have been, done. */
  readonly restoresById: ReadonlyMap<string, readonly Call[]>;
  readonly rows: Rows;
  readonly rowById: ReadonlyMap<string, MemoryRow>;
  readonly rowsByLabel: ReadonlyMap<string, readonly MemoryRow[]>;
}

export function knowledgeOf(recording: Recording, account: number, rows: Rows): Knowledge {
  const calls = recording.calls.filter((call) => call.account === account);
  const writes = writesOf(recording, calls);
  const ends = calls.flatMap(endsIn);
  const restores = calls.filter(
    ({ rpc, outcome }) => rpc === "RestoreMemory" && outcome.kind !== "refused",
  );
  return {
    account,
    calls,
    writes,
    writeByLabel: new Map(writes.map((write) => [write.label, write])),
    writeById: new Map(writes.flatMap((write) => write.ids.map((id) => [id, write] as const))),
    erasures: calls.filter(({ rpc }) => rpc === "DeleteMemories").flatMap(erasureIn),
    ends,
    endsById: Map.groupBy(ends, ({ memoryId }) => memoryId),
    restoresById: Map.groupBy(restores, ({ request }) => String(request.memory_id)),
    rows,
    rowById: new Map(rows.memories.map((row) => [row.id, row])),
    rowsByLabel: Map.groupBy(rows.memories, ({ source }) => source),
  };
}

function writesOf({ factsByConversation }: Recording, calls: readonly Call[]): Write[] {
  const ofWrites = calls.filter(({ rpc }) => WRITES.includes(rpc));
  const byLabel = Map.groupBy(ofWrites, ({ request }) => String(labelOf(request)));
  return [...byLabel].map(([label, calls]) => {
    const [{ account, request } = unreachable()] = calls;
    const { messages, memories = [request], lines } = request as Json;
    if (lines !== undefined) return importOf(label, calls, lines.slice(1));
    const items = messages === undefined ? memories.map(itemOf) : null;
    const successes = calls
      .filter((call) => resultOf(call) !== null)
      .toSorted((a, b) => a.endedAt - b.endedAt);
    const [first] = successes;
    const answer = first === undefined ? null : resultOf(first);
    const facts = items?.length ?? factsByConversation.get(messages[0].content) ?? 0;
    const ids = answer === null ? [] : idsIn(answer);
    const most = answer === null && calls.some(isOpen) ? facts : ids.length;
    return {
      label,
      account,
      tenant: memories[0].tenant_id ?? "",
      calls,
      items,
      facts,
      startedAt: Math.min(...calls.map(({ startedAt }) => startedAt)),
      endedAt: Math.max(...calls.map((call) => (isOpen(call) ? Infinity : call.endedAt))),
      acknowledgedAt: first?.endedAt ?? Infinity,
      answer,
      ids,
      counted: { least: ids.length, most },
      isPossible: answer !== null || calls.some(isOpen),
    };
  });
}

const WRITES: readonly string[] = ["CreateMemories", "BatchCreateMemories", "ImportMemories"];

function itemOf({ content, topic, importance_score }: Json): WrittenItem {
  return { decision: content, topic, importance_score };
}

/** Every call of it stores what is not there, so each may store all of it again. */
function importOf(label: string, calls: readonly Call[], lines: readonly Json[]): Write {
  const results = calls.flatMap((call) => resultOf(call) ?? []);
  const [answer] = results.toSorted((a, b) => reachOf(b) - reachOf(a));
  const ends = calls.map((call) => (isOpen(call) ? Infinity : call.endedAt));
  const stored = (call: Call) => resultOf(call)?.imported_count ?? 0;
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  return {
    label,
    account: calls[0]?.account ?? unreachable(),
    tenant: lines[0].tenant_id,
    calls,
    items: lines as readonly WrittenItem[],
    facts: lines.length,
    startedAt: Math.min(...calls.map(({ startedAt }) => startedAt)),
    endedAt: Math.max(...ends),
    acknowledgedAt: answer === undefined ? Infinity : Math.max(...ends),
    answer: answer ?? null,
    ids: answer === undefined ? [] : lines.slice(0, reachOf(answer)).map(({ id }) => id),
    counted: {
      least: sum(calls.map(stored)),
      most: sum(calls.map((call) => (isOpen(call) ? lines.length : stored(call)))),
    },
    isPossible: answer !== undefined || calls.some(isOpen),
  };
}

/** How many lines an import came through. */
function reachOf({ imported_count: imported, skipped_count: skipped }: Json): number {
  return imported + skipped;
}

/** What a call did, as far as it was told; null: nothing, or it was not told. */
export function resultOf({ outcome }: Call): Json | null {
  if (outcome.kind === "done") return outcome.body;
  return outcome.kind === "refused" ? outcome.partial : null;
}

/** Whether a call may have been done, or may be done yet, although nobody said so. */
export function isOpen({ outcome }: Call): boolean {
  // A database that went away may have committed before it could say so.
  return (
    outcome.kind === "unknown" ||
    (outcome.kind === "refused" && outcome.reason === "storage_unavailable")
  );
}

export function idsIn(answer: Json): readonly string[] {
  return answer.memory_ids ?? [answer.memory_id];
}

function erasureIn(call: Call): Erasure[] {
  const { request, outcome, startedAt, endedAt } = call;
  const isAcknowledged = outcome.kind === "done";
  // It erases in steps: one that waited too long on the way has done a part.
  const isPartial = outcome.kind === "refused" && outcome.reason === "overloaded";
  if (!isAcknowledged && !isOpen(call) && !isPartial) return [];
  const { tenant_id: tenant = null, source, topic, session_id: session } = request as Json;
  const { created_before: before } = request;
  return [
    {
      call,
      tenant,
      isNarrowed: [source, topic, session, before].some((each) => each !== undefined),
      covers({ tenant: ofWrite, label, calls }) {
        const [{ request: written } = unreachable()] = calls;
        const [first] = (written.memories as Json[] | undefined) ?? [written];
        return (
          (tenant === null || tenant === ofWrite) &&
          (source === undefined || source === label) &&
          (topic === undefined || topic === first.topic) &&
          (session === undefined || session === first.session_id)
        );
      },
      startedAt,
      endedAt: isAcknowledged ? endedAt : Infinity,
      // What was written before a moment is not told exactly by when it was answered.
      isAcknowledged: isAcknowledged && before === undefined,
    },
  ];
}

function endsIn(call: Call): End[] {
  const body = resultOf(call);
  if (body === null) return [];
  if (call.rpc === "SupersedeMemory") {
    const { memory_id: memoryId, superseded_by: supersededBy, valid_to: validTo } = body;
    return [{ call, memoryId, supersededBy, validTo, isAutomatic: false }];
  }
  if (!WRITES.includes(call.rpc)) return [];
  // Nothing replaces what was taken back.
  const retractions: readonly Json[] = body.retractions ?? [];
  return [...supersessionsIn(body), ...retractions]
    .filter(({ applied }) => applied)
    .map(({ memory_id: memoryId, superseded_by: supersededBy = null, valid_to: validTo }) => {
      return { call, memoryId, supersededBy, validTo, isAutomatic: true };
    });
}

/** All automatic supersessions that the answer of a write tells of. */
export function supersessionsIn(answer: Json): readonly Json[] {
  return [answer.auto_supersede].flat().flatMap((each: Json) => {
    return each?.supersessions ?? (each?.supersession == null ? [] : [each.supersession]);
  });
}

/** Whether a deletion may have taken what came into being at `from` or later, before `until`. */
export function mayBeErased(
  { erasures }: Knowledge,
  write: Write,
  from: number,
  until = Infinity,
): boolean {
  return erasures.some(
    (erasure) => erasure.covers(write) && erasure.endedAt >= from && erasure.startedAt <= until,
  );
}

/** A deletion that began after `existsSince` and was acknowledged before `until`. */
export function erasureOf(
  { erasures }: Knowledge,
  write: Write,
  existsSince: number,
  until = Infinity,
): Erasure | undefined {
  return erasures.find(
    (erasure) =>
      erasure.isAcknowledged &&
      erasure.covers(write) &&
      erasure.startedAt > existsSince &&
      erasure.endedAt < until,
  );
}

function unreachable(): never {
  throw new Error("unreachable: a group has an entry");
}
