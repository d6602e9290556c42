import type { Json } from "../../grpc/clients/api-client.ts";
import type { Call, Recording } from "./call.ts";
import type { MemoryRow, Rows } from "./rows.ts";

/** A write, with all calls that asked for it: several where it had an idempotency key. */
export interface Write {
  /** The source of all its memories. */
  readonly label: string;
  readonly account: number;
  /** "": the default tenant, as rows have it. */
  readonly tenant: string;
  readonly calls: readonly Call[];
  /** null: a messages write. */
  readonly content: string | null;
  /** How many memories it makes, unless the quota cuts it short. */
  readonly facts: number;
  readonly startedAt: number;
  /** When its last call ended; Infinity where one may still have gone on. */
  readonly endedAt: number;
  /** When its first success was known; Infinity: never. */
  readonly acknowledgedAt: number;
  /** What its first success said, a partial one included; null: none. */
  readonly answer: Json | null;
  /** Of that answer. */
  readonly ids: readonly string[];
  /** Whether it may have been done: not every call was refused. */
  readonly isPossible: boolean;
}

export interface Erasure {
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
  const ofWrites = calls.filter(({ rpc }) => rpc === "CreateMemories");
  const byLabel = Map.groupBy(ofWrites, ({ request }) => String(request.source));
  return [...byLabel].map(([label, calls]) => {
    const [{ account, request } = unreachable()] = calls;
    const { content, messages, tenant_id: tenant } = request as Json;
    const successes = calls
      .filter((call) => resultOf(call) !== null)
      .toSorted((a, b) => a.endedAt - b.endedAt);
    const [first] = successes;
    const answer = first === undefined ? null : resultOf(first);
    return {
      label,
      account,
      tenant: tenant ?? "",
      calls,
      content: content ?? null,
      facts: content === undefined ? (factsByConversation.get(messages[0].content) ?? 0) : 1,
      startedAt: Math.min(...calls.map(({ startedAt }) => startedAt)),
      endedAt: Math.max(...calls.map((call) => (isOpen(call) ? Infinity : call.endedAt))),
      acknowledgedAt: first?.endedAt ?? Infinity,
      answer,
      ids: answer === null ? [] : idsIn(answer),
      isPossible: answer !== null || calls.some(isOpen),
    };
  });
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
  if (!isAcknowledged && !isOpen(call)) return [];
  const tenant = (request.tenant_id as string | undefined) ?? null;
  return [
    { call, tenant, startedAt, endedAt: isAcknowledged ? endedAt : Infinity, isAcknowledged },
  ];
}

function endsIn(call: Call): End[] {
  const body = resultOf(call);
  if (body === null) return [];
  if (call.rpc === "SupersedeMemory") {
    const { memory_id: memoryId, superseded_by: supersededBy, valid_to: validTo } = body;
    return [{ call, memoryId, supersededBy, validTo, isAutomatic: false }];
  }
  if (call.rpc !== "CreateMemories") return [];
  return supersessionsIn(body)
    .filter(({ applied }) => applied)
    .map(({ memory_id: memoryId, superseded_by: supersededBy, valid_to: validTo }) => {
      return { call, memoryId, supersededBy, validTo, isAutomatic: true };
    });
}

/** All automatic supersessions that the answer of a write tells of. */
export function supersessionsIn(answer: Json): readonly Json[] {
  return [answer.auto_supersede].flat().flatMap((each: Json) => {
    return each?.supersessions ?? (each?.supersession == null ? [] : [each.supersession]);
  });
}

const covers = (erasure: Erasure, tenant: string) =>
  erasure.tenant === null || erasure.tenant === tenant;

/** Whether a deletion may have taken what came into being at `from` or later, before `until`. */
export function mayBeErased(
  { erasures }: Knowledge,
  tenant: string,
  from: number,
  until = Infinity,
): boolean {
  return erasures.some(
    (erasure) => covers(erasure, tenant) && erasure.endedAt >= from && erasure.startedAt <= until,
  );
}

/** A deletion that began after `existsSince` and was acknowledged before `until`. */
export function erasureOf(
  { erasures }: Knowledge,
  tenant: string,
  existsSince: number,
  until = Infinity,
): Erasure | undefined {
  return erasures.find(
    (erasure) =>
      erasure.isAcknowledged &&
      covers(erasure, tenant) &&
      erasure.startedAt > existsSince &&
      erasure.endedAt < until,
  );
}

function unreachable(): never {
  throw new Error("unreachable: a group has an entry");
}
