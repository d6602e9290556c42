import { isDeepStrictEqual } from "node:util";
import type { Call } from "../call.ts";
import { type Knowledge, mayBeErased, resultOf } from "../knowledge.ts";
import type { EventRow, MemoryRow } from "../rows.ts";
import type { Verdicts } from "../verdicts.ts";

/** Links and ends as they are stored, as they were answered, and as they are read. */
export function judgeChains(verdicts: Verdicts, known: Knowledge): void {
  const events = Map.groupBy(known.rows.events, ({ memory_id: id }) => id);
  for (const row of known.rows.memories) {
    judgeRow(verdicts, known, row);
    judgeTrimming(verdicts, known, row, events.get(row.id) ?? []);
  }
  judgeEnds(verdicts, known);
  const chains = chainsOf(known);
  for (const call of known.calls) judgeTimeline(verdicts, chains, call);
  judgeMoments(verdicts, known, chains);
}

function judgeRow(verdicts: Verdicts, known: Knowledge, row: MemoryRow): void {
  const check = (holds: boolean, what: string) =>
    verdicts.check("chains", holds, `${row.id} of ${row.source}: ${what}`);
  if (row.superseded_at !== null) check(row.valid_to !== null, "is superseded without an end");
  if (row.superseded_by === null) return;
  const next = known.rowById.get(row.superseded_by);
  check(next !== undefined, "its replacement is gone");
  check(next === undefined || next.tenant_id === row.tenant_id, "is replaced in another tenant");
  check(row.superseded_at !== null, "has a replacement and is not superseded");
  check(!isInCircle(known, row), "is in a circle");
}

/**
 * A version that was replaced ends as its supersession said, or at the earliest start behind
 * its replacement, and its history says how it came to that.
 */
function judgeTrimming(
  verdicts: Verdicts,
  known: Knowledge,
  row: MemoryRow,
  events: readonly EventRow[],
): void {
  const check = (holds: boolean, what: string) =>
    verdicts.check("chains", holds, `${row.id} of ${row.source}: ${what}`);
  const superseded = events.findLastIndex(({ event }) => event === "superseded");
  const trims = events.slice(superseded + 1).filter(({ event }) => event === "trimmed");
  if (row.superseded_by === null || superseded < 0) return;
  const given: string = events[superseded]?.detail.valid_to;
  const ends = [given, ...startsBehind(known, row).slice(1)].toSorted();
  // A chain that was closed over what was erased keeps what that had trimmed, also when it is imported.
  const isImported = events.some(({ event }) => event === "imported");
  const isWhole = !known.erasures.some(
    ({ isNarrowed, tenant }) => isNarrowed && (isImported || tenant === row.tenant_id),
  );
  if (isWhole)
    check(row.valid_to === ends[0], `ends at ${row.valid_to}, and was to end at ${ends[0]}`);
  let end = given;
  for (const { detail } of trims) {
    check(detail.from === end && detail.to !== end, `was not trimmed from ${detail.from}`);
    end = detail.to;
  }
  check(row.valid_to === end, `ends at ${row.valid_to}, and its history tells of ${end}`);
}

/** The starts of all that followed a version, its replacement first. */
function startsBehind({ rowById }: Knowledge, row: MemoryRow): string[] {
  const starts: string[] = [];
  const seen = new Set([row.id]);
  let next = rowById.get(row.superseded_by ?? "");
  while (next !== undefined && !seen.has(next.id)) {
    seen.add(next.id);
    starts.push(next.valid_from);
    next = rowById.get(next.superseded_by ?? "");
  }
  return starts;
}

function isInCircle({ rowById }: Knowledge, row: MemoryRow): boolean {
  const seen = new Set<string>();
  for (let id: string | null = row.id; id !== null; id = rowById.get(id)?.superseded_by ?? null) {
    if (seen.has(id)) return true;
    seen.add(id);
  }
  return false;
}

/** What was answered about an end still holds, unless it was taken back. */
function judgeEnds(verdicts: Verdicts, known: Knowledge): void {
  for (const [id, ends] of known.endsById) {
    const restores = known.restoresById.get(id) ?? [];
    const row = known.rowById.get(id);
    for (const end of ends) {
      // A call that only repeats what the classifier did is taken back with it.
      const isAutomatic = ends.some(
        (other) => other.isAutomatic && other.supersededBy === end.supersededBy,
      );
      if (isAutomatic && restores.length > 0) continue;
      const others = ends.filter((other) => other.supersededBy !== end.supersededBy);
      if (restores.length === 0) {
        const calls = [end, ...others].map(({ call }) => call);
        verdicts.check("chains", others.length === 0, `${id} has two replacements`, ...calls);
      }
      const next = known.writeById.get(end.supersededBy ?? "");
      if (row === undefined || (next && mayBeErased(known, next, next.startedAt))) continue;
      const isStill =
        row.superseded_at !== null &&
        row.superseded_by === end.supersededBy &&
        (row.valid_to === end.validTo || isTrimmed(known, id));
      const what = `${id} is not ended as was answered: ${JSON.stringify(row)}`;
      verdicts.check("chains", isStill, what, end.call);
    }
  }
}

function isTrimmed({ rows }: Knowledge, id: string): boolean {
  return rows.events.some(({ memory_id, event }) => memory_id === id && event === "trimmed");
}

/** The members of each memory's chain, in the order of a timeline. */
function chainsOf({ rows, rowById }: Knowledge): ReadonlyMap<string, readonly MemoryRow[]> {
  const headOf = (row: MemoryRow) => {
    const seen = new Set<string>();
    let head = row;
    while (head.superseded_by !== null && !seen.has(head.id)) {
      seen.add(head.id);
      const next = rowById.get(head.superseded_by);
      if (next === undefined) break;
      head = next;
    }
    return head.id;
  };
  const byHead = Map.groupBy(rows.memories, headOf);
  return new Map(
    [...byHead.values()].flatMap((members) => {
      const ordered = members.toSorted(byTime);
      return members.map(({ id }) => [id, ordered] as const);
    }),
  );
}

const inOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function byTime(a: MemoryRow, b: MemoryRow): number {
  return (
    inOrder(a.valid_from, b.valid_from) ||
    inOrder(a.created_at, b.created_at) ||
    inOrder(a.id, b.id)
  );
}

function judgeTimeline(
  verdicts: Verdicts,
  chains: ReadonlyMap<string, readonly MemoryRow[]>,
  call: Call,
): void {
  const body = call.rpc === "GetMemoryTimeline" ? resultOf(call) : null;
  if (body === null) return;
  const check = (holds: boolean, what: string) => verdicts.check("chains", holds, what, call);
  const { timeline, chain_length: length } = body;
  const ids = timeline.map(({ id }: MemoryRow) => id);
  check(timeline.length === length, "a timeline is not as long as it says");
  check(new Set(ids).size === ids.length, "a timeline repeats a memory");
  check(ids.includes(call.request.memory_id), "a timeline leaves out what was asked for");
  const ordered = timeline.toSorted(byTime);
  check(isDeepStrictEqual(timeline, ordered), "a timeline is out of order");
  const current = timeline.filter(
    ({ temporal }: { temporal: { is_current: boolean } }) => temporal.is_current,
  );
  check(current.length <= 1, `${current.length} memories of a chain are current`);
  if (!call.isQuiet) return;
  const chain = chains.get(String(call.request.memory_id)) ?? [];
  const stored = chain.map(({ id }) => id);
  check(isDeepStrictEqual(ids, stored), `a timeline is not the chain that is stored: ${stored}`);
}

/** A list as of a moment is what holds then, and at most one version of a chain without merges. */
function judgeMoments(
  verdicts: Verdicts,
  known: Knowledge,
  chains: ReadonlyMap<string, readonly MemoryRow[]>,
): void {
  for (const call of known.calls) {
    const body = call.rpc === "ListMemories" && call.isQuiet ? resultOf(call) : null;
    if (body?.as_of == null) continue;
    const check = (holds: boolean, what: string) => verdicts.check("chains", holds, what, call);
    const moment: string = body.as_of;
    const tenant = call.request.tenant_id ?? "";
    const held = known.rows.memories
      .filter(({ tenant_id }) => tenant_id === tenant)
      .filter(
        ({ valid_from: from, valid_to: to }) => from <= moment && (to === null || to > moment),
      )
      .map(({ id }) => id)
      .toSorted();
    const listed: string[] = body.memories.map(({ id }: MemoryRow) => id).toSorted();
    check(isDeepStrictEqual(listed, held), `as of ${moment} hold ${held}, not ${listed}`);
    for (const chain of new Set(listed.flatMap((id) => [chains.get(id) ?? []]))) {
      if (!isPlain(chain, known)) continue;
      const versions = chain.filter(({ id }) => listed.includes(id));
      check(versions.length <= 1, `as of ${moment} hold ${versions.length} versions of a chain`);
    }
  }
}

/** Without merges, and no end that a caller chose. */
function isPlain(chain: readonly MemoryRow[], { rows }: Knowledge): boolean {
  const replacements = chain.flatMap(({ superseded_by: by }) => by ?? []);
  const isLinear = new Set(replacements).size === replacements.length;
  const ids = new Set(chain.map(({ id }) => id));
  const hasChosenEnd = rows.events.some(
    ({ memory_id: id, detail }) => ids.has(id) && detail.requested?.valid_to != null,
  );
  return isLinear && !hasChosenEnd;
}
