import { isDeepStrictEqual } from "node:util";
import { type Knowledge, resultOf } from "../knowledge.ts";
import type { EventRow, MemoryRow } from "../rows.ts";
import type { Verdicts } from "../verdicts.ts";

/** A list of what was known at a moment is what the histories tell of it, one event after another. */
export function judgePast(verdicts: Verdicts, { calls, rows }: Knowledge): void {
  const events = Map.groupBy(rows.events, ({ memory_id: id }) => id);
  const kept = new Map(rows.memories.map((row) => [row.id, row]));
  /** Behind what was erased since follows what follows it now, if it was there. */
  const closed = (moment: string, end: KnownEnd): KnownEnd => {
    if (end.superseded_by === null || kept.has(end.superseded_by)) return end;
    const row = kept.get(end.id);
    const next = kept.get(row?.superseded_by ?? "");
    const isThere =
      next !== undefined && next.created_at <= moment && (row?.superseded_at ?? "9") <= moment;
    return { ...end, superseded_by: isThere ? next.id : null };
  };
  for (const call of calls) {
    const { known_at: moment, tenant_id: tenant = "" } = call.request;
    const body = call.rpc === "ListMemories" && call.isQuiet ? resultOf(call) : null;
    if (body === null || typeof moment !== "string") continue;
    const known = rows.memories
      .filter((row) => row.tenant_id === tenant && row.created_at <= moment)
      .map((row) => closed(moment, endAt(moment, row, events.get(row.id) ?? [])))
      .toSorted(byId);
    const listed = (body.memories as MemoryRow[])
      .map(({ id, valid_to, superseded_by }) => ({ id, valid_to, superseded_by }))
      .toSorted(byId);
    const what = `at ${moment} was known ${JSON.stringify(known)}, not ${JSON.stringify(listed)}`;
    verdicts.check("chains", isDeepStrictEqual(listed, known), what, call);
  }
}

/** Events that tell the whole end of a memory. */
const ENDS = new Set(["superseded", "retracted", "neighbour_erased"]);

type KnownEnd = Pick<MemoryRow, "id" | "valid_to" | "superseded_by">;

function endAt(moment: string, { id, valid_to }: MemoryRow, events: readonly EventRow[]): KnownEnd {
  const first = events.find(({ event }) => ENDS.has(event));
  const written = first === undefined ? valid_to : (first.detail.previous_valid_to ?? null);
  let known: KnownEnd = { id, valid_to: written, superseded_by: null };
  for (const { event, detail } of events.filter(({ at }) => at <= moment)) {
    const { valid_to, superseded_by } = detail;
    if (event === "trimmed") known = { ...known, valid_to: detail.to };
    else if (event === "restored") known = { id, valid_to, superseded_by: null };
    else if (ENDS.has(event)) known = { id, valid_to, superseded_by };
  }
  return known;
}

function byId(a: KnownEnd, b: KnownEnd): number {
  return a.id < b.id ? -1 : 1;
}
