import type { Call } from "../call.ts";
import { type Knowledge, mayBeErased, resultOf, type Write } from "../knowledge.ts";
import type { Verdicts } from "../verdicts.ts";
import { shownIds } from "./deletion.ts";

/** As many as a question of these histories asks for. */
const MAX_QUERIED = 100;

/** Every server reads what was acknowledged anywhere; lists lose and repeat nothing. */
export function judgeReads(verdicts: Verdicts, known: Knowledge): void {
  const fates = fatesOf(known);
  for (const list of listsOf(known)) judgeList(verdicts, known, fates, list);
  for (const call of known.calls) {
    if (call.rpc === "QueryMemories") judgeQuery(verdicts, known, fates, call);
    if (call.rpc === "ExportMemories") judgeExport(verdicts, known, call);
    judgeMissing(verdicts, known, call);
  }
}

/** A list as far as it was read. */
interface ReadList {
  readonly calls: readonly [Call, ...Call[]];
  /** Whether it was read to its end. */
  readonly isWhole: boolean;
  readonly startedAt: number;
  readonly endedAt: number;
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of memories
  readonly memories: readonly any[];
}

function listsOf({ calls }: Knowledge): ReadList[] {
  const lists = calls.filter(({ rpc }) => rpc === "ListMemories");
  const steps = Map.groupBy(lists, (call) => call.walk ?? call);
  return [...steps.values()].flatMap((pages) => {
    const [first, ...others] = pages.toSorted((a, b) => a.startedAt - b.startedAt);
    const bodies = pages.map(resultOf).filter((body) => body !== null);
    if (first === undefined) return [];
    return {
      calls: [first, ...others],
      isWhole: bodies.at(-1)?.next_page_token === null && bodies.length === pages.length,
      startedAt: first.startedAt,
      endedAt: Math.max(...pages.map(({ endedAt }) => endedAt)),
      memories: bodies.flatMap(({ memories }) => memories),
    } satisfies ReadList;
  });
}

/** Events behind the first that move no end. */
const LEAVING_ENDS = new Set(["classified", "imported"]);

/** What became of a memory that is still stored. */
interface Fate {
  /** Nothing ever ended it, and no end is known. */
  readonly isEndless: boolean;
  /** It had ended before it was written, and nothing else ended it. */
  readonly isExpired: boolean;
  readonly validFrom: string;
}

function fatesOf({ rows }: Knowledge): ReadonlyMap<string, Fate> {
  const touched = new Set(
    rows.events.flatMap(({ memory_id: id, sequence, event }) =>
      sequence > 1 && !LEAVING_ENDS.has(event) ? id : [],
    ),
  );
  return new Map(
    rows.memories.map(({ id, valid_from: validFrom, valid_to: end, created_at: createdAt }) => {
      const isUntouched = !touched.has(id);
      const isEndless = isUntouched && end === null;
      return [
        id,
        { isEndless, isExpired: isUntouched && end !== null && end < createdAt, validFrom },
      ];
    }),
  );
}

function judgeList(
  verdicts: Verdicts,
  known: Knowledge,
  fates: ReadonlyMap<string, Fate>,
  { calls, isWhole, startedAt, endedAt, memories }: ReadList,
): void {
  const [{ request }] = calls;
  const check = (holds: boolean, what: string, ...of: readonly Call[]) =>
    verdicts.check("reads", holds, what, ...of);
  const ids = memories.map(({ id }) => id);
  const listed = new Set(ids);
  check(listed.size === ids.length, "a list repeats a memory", ...calls);
  const isInOrder = memories.every(
    (memory, index) => index === 0 || isBehind(memory, memories[index - 1]),
  );
  check(isInOrder, "a list is out of order", ...calls);
  const isOfSource = memories.every(
    ({ source }) => request.source === undefined || source === request.source,
  );
  check(isOfSource, "a list has another source", ...calls);

  // What was known is a law of its own.
  if (request.known_at !== undefined) return;
  const moment = resultOf(calls[0])?.as_of ?? null;
  for (const write of isWhole ? writesBefore(known, request, startedAt) : []) {
    if (mayBeErased(known, write, write.startedAt, endedAt)) continue;
    for (const id of write.ids) {
      const fate = fates.get(id);
      const isDue =
        request.include_superseded === true && moment === null
          ? true
          : fate?.isEndless === true && (moment === null || fate.validFrom <= moment);
      if (isDue)
        check(
          listed.has(id),
          `a list leaves out ${id} of ${write.label}`,
          ...write.calls,
          ...calls,
        );
    }
  }
  if (moment !== null || request.include_superseded === true) return;
  for (const id of ids) judgeShown(check, known, fates, id, startedAt, calls);
}

// biome-ignore lint/suspicious/noExplicitAny: the JSON of memories
function isBehind(memory: any, before: any): boolean {
  return memory.created_at === before.created_at
    ? memory.id < before.id
    : memory.created_at < before.created_at;
}

function writesBefore(known: Knowledge, request: Call["request"], startedAt: number): Write[] {
  return known.writes.filter(
    ({ tenant, acknowledgedAt, label }) =>
      tenant === (request.tenant_id ?? "") &&
      acknowledgedAt < startedAt &&
      (request.source === undefined || request.source === label),
  );
}

/** A memory that is shown as current was not ended before. */
function judgeShown(
  check: (holds: boolean, what: string, ...of: readonly Call[]) => void,
  known: Knowledge,
  fates: ReadonlyMap<string, Fate>,
  id: string,
  startedAt: number,
  calls: readonly Call[],
): void {
  check(fates.get(id)?.isExpired !== true, `${id} has expired and is shown as current`, ...calls);
  if (known.restoresById.has(id)) return;
  const end = known.endsById.get(id)?.find(({ call }) => call.endedAt < startedAt);
  const of = end === undefined ? [] : [end.call, ...calls];
  check(end === undefined, `${id} was ended and is shown as current`, ...of);
}

/** A question that asks for more than there are finds all that are current. */
function judgeQuery(
  verdicts: Verdicts,
  known: Knowledge,
  fates: ReadonlyMap<string, Fate>,
  call: Call,
): void {
  const shown = shownIds(call);
  if (resultOf(call) === null) return;
  const check = (holds: boolean, what: string, ...of: readonly Call[]) =>
    verdicts.check("reads", holds, what, ...of);
  check(new Set(shown).size === shown.length, "an answer repeats a memory", call);
  for (const id of shown) judgeShown(check, known, fates, id, call.startedAt, [call]);
  if (shown.length >= MAX_QUERIED) return;
  for (const write of writesBefore(known, call.request, call.startedAt)) {
    if (mayBeErased(known, write, write.startedAt, call.endedAt)) continue;
    for (const id of write.ids) {
      if (fates.get(id)?.isEndless !== true) continue;
      check(shown.includes(id), `an answer leaves out ${id}`, ...write.calls, call);
    }
  }
}

/** An export has all of its tenant, each memory once and behind its replacement. */
function judgeExport(verdicts: Verdicts, known: Knowledge, call: Call): void {
  const body = resultOf(call);
  if (body === null) return;
  const check = (holds: boolean, what: string, ...of: readonly Call[]) =>
    verdicts.check("reads", holds, what, ...of, call);
  const seen = new Set<string>();
  for (const { id, superseded_by: by } of body.memories) {
    check(!seen.has(id), `an export repeats ${id}`);
    check(by === null || seen.has(by), `an export has ${id} before its replacement ${by}`);
    seen.add(id);
  }
  for (const write of writesBefore(known, call.request, call.startedAt)) {
    if (mayBeErased(known, write, write.startedAt, call.endedAt)) continue;
    for (const id of write.ids) {
      check(seen.has(id), `an export leaves out ${id} of ${write.label}`, ...write.calls);
    }
  }
}

/** What was acknowledged before is found, whatever is done with it. */
function judgeMissing(verdicts: Verdicts, known: Knowledge, call: Call): void {
  const { outcome, request } = call;
  if (outcome.kind !== "refused" || outcome.reason !== "memory_not_found") return;
  const named = [request.memory_id, request.superseded_by].flatMap((id) =>
    id === undefined ? [] : String(id),
  );
  const isThere = named.every((id) => {
    const write = known.writeById.get(id);
    return (
      write !== undefined &&
      write.acknowledgedAt < call.startedAt &&
      !mayBeErased(known, write, write.startedAt, call.endedAt)
    );
  });
  verdicts.check("reads", !isThere, "is there, and is not found", call);
}
