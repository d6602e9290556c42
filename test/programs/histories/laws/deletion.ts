import type { Call } from "../call.ts";
import { type Erasure, erasureOf, type Knowledge, resultOf } from "../knowledge.ts";
import type { Verdicts } from "../verdicts.ts";

/** What was acknowledged before a deletion is gone after it, in every table and for good. */
export function judgeDeletion(verdicts: Verdicts, known: Knowledge): void {
  const check = (holds: boolean, what: string, ...of: readonly Call[]) =>
    verdicts.check("deletion", holds, what, ...of);
  for (const write of known.writes) {
    const { label, acknowledgedAt, calls } = write;
    const erasure = erasureOf(known, write, acknowledgedAt);
    if (erasure === undefined) continue;
    const left = known.rowsByLabel.get(label) ?? [];
    check(left.length === 0, `${label}: outlived a deletion`, ...calls, erasure.call);
    const [first] = calls;
    const idempotencyKey = first?.idempotencyKey ?? null;
    // Other responses have no text.
    if (idempotencyKey === null || first?.request.messages === undefined) continue;
    const isKept = known.rows.keys.some(
      ({ key, has_response }) => key === idempotencyKey && has_response,
    );
    check(!isKept, `${label}: its response outlived a deletion`, ...calls, erasure.call);
  }
  for (const call of known.calls) judgeRead(verdicts, known, call);
  for (const erasure of known.erasures) judgeCount(verdicts, known, erasure);

  const ids = new Set(known.rows.memories.map(({ id }) => id));
  for (const [what, rows] of [
    ["vector", known.rows.vectors],
    ["event", known.rows.events],
  ] as const) {
    const left = rows.filter(({ memory_id: id }) => !ids.has(id));
    check(left.length === 0, `a ${what} without its memory: ${JSON.stringify(left[0])}`);
  }
}

/** The memories that an answer shows. */
export function shownIds(call: Call): readonly string[] {
  const body = resultOf(call);
  if (body === null) return [];
  switch (call.rpc) {
    case "ListMemories":
    case "QueryMemories":
    case "ExportMemories":
      return body.memories.map(({ id }: { id: string }) => id);
    case "GetMemoryTimeline":
      return body.timeline.map(({ id }: { id: string }) => id);
    case "GetMemory":
      return [body.id];
    case "GetMemoryAudit":
      return [body.memory_id];
    default:
      return [];
  }
}

function judgeRead(verdicts: Verdicts, known: Knowledge, call: Call): void {
  if (known.erasures.length === 0) return;
  for (const id of shownIds(call)) {
    const write = known.writeById.get(id);
    if (write === undefined) continue;
    const erasure = erasureOf(known, write, write.acknowledgedAt, call.startedAt);
    const what = `${id} of ${write.label} is read after its deletion`;
    const calls = erasure === undefined ? [] : [...write.calls, erasure.call, call];
    verdicts.check("deletion", erasure === undefined, what, ...calls);
  }
}

/** A deletion counts at least what nobody else can have deleted. */
function judgeCount(verdicts: Verdicts, known: Knowledge, { call, covers }: Erasure): void {
  const body = resultOf(call);
  const others = known.erasures.filter((other) => other.call !== call);
  if (body === null || others.some(({ startedAt }) => startedAt <= call.endedAt)) return;
  if (call.request.created_before !== undefined) return;
  const least = known.writes
    .filter((write) => covers(write) && write.acknowledgedAt < call.startedAt)
    .reduce((sum, { ids }) => sum + ids.length, 0);
  const holds = body.deleted_count >= least;
  verdicts.check("deletion", holds, `at least ${least} memories were there to be deleted`, call);
}
