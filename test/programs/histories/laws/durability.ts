import { type Knowledge, mayBeErased, type Write, type WrittenItem } from "../knowledge.ts";
import type { MemoryRow } from "../rows.ts";
import type { Verdicts } from "../verdicts.ts";

/** What was acknowledged is there, whole. Of what was not, all is there or nothing. */
export function judgeDurability(verdicts: Verdicts, known: Knowledge, mayBeCutShort: boolean) {
  for (const write of known.writes) judgeWrite(verdicts, known, write, mayBeCutShort);
  judgeRows(verdicts, known);
}

function judgeWrite(
  verdicts: Verdicts,
  known: Knowledge,
  write: Write,
  mayBeCutShort: boolean,
): void {
  const { label, ids, calls, facts, items } = write;
  const rows = known.rowsByLabel.get(label) ?? [];
  const check = (holds: boolean, what: string) =>
    verdicts.check("durability", holds, `${label}: ${what}`, ...calls);
  if (!write.isPossible) {
    check(rows.length === 0, `was refused, and stored ${rows.length}`);
  } else if (write.answer === null) {
    if (rows.length > 0) verdicts.unknownStored++;
    const isWhole = rows.length === facts || (mayBeCutShort && rows.length < facts);
    check(rows.length === 0 || isWhole, `nobody knows, and ${rows.length} of ${facts} are stored`);
  } else {
    const stored = new Set(rows.map(({ id }) => id));
    const isErased = rows.length === 0 && mayBeErased(known, write, write.startedAt);
    const missing = isErased ? [] : ids.filter((id) => !stored.has(id));
    check(missing.length === 0, `was acknowledged, and ${missing} are gone`);
    // That there are not more is the law of idempotency where there is a key.
    if (calls.length === 1) check(rows.length <= ids.length, `stored more than it said`);
  }
  if (items === null) return;
  const sent = new Set(items.map(contentOf));
  for (const row of rows) {
    const isAsSent = sent.has(contentOf(row));
    check(isAsSent, `is not stored as it was sent: ${JSON.stringify(row)}`);
  }
}

/** The fields of a memory that no call changes, as one text. */
function contentOf(memory: WrittenItem): string {
  return [memory.decision, memory.topic, memory.importance_score].join("\n");
}

/** Each memory has one vector and a history that begins with its creation. */
function judgeRows(verdicts: Verdicts, { rows }: Knowledge): void {
  const vectors = Map.groupBy(rows.vectors, ({ memory_id: id }) => id);
  const events = Map.groupBy(rows.events, ({ memory_id: id }) => id);
  const check = (row: MemoryRow, holds: boolean, what: string) =>
    verdicts.check("durability", holds, `${row.id} of ${row.source}: ${what}`);
  for (const row of rows.memories) {
    const [vector, ...others] = vectors.get(row.id) ?? [];
    check(row, vector !== undefined && others.length === 0, "has not one vector");
    const isInStep =
      vector !== undefined &&
      vector.tenant_id === row.tenant_id &&
      vector.source === row.source &&
      vector.valid_to === row.valid_to &&
      vector.is_superseded === (row.superseded_at !== null);
    check(row, isInStep, `its vector says otherwise: ${JSON.stringify([row, vector])}`);
    const history = events.get(row.id) ?? [];
    const isGapless = history.every(({ sequence }, index) => sequence === index + 1);
    check(row, isGapless && history[0]?.event === "created", "its history has gaps");
    const created = history.filter(({ event }) => event === "created").length;
    check(row, created === 1, `was created ${created} times`);
    const last = history.findLast(({ event }) => ENDS.has(event))?.event;
    const isEnded = last !== undefined && last !== "restored";
    check(row, isEnded === (row.superseded_at !== null), "its history tells of another end");
  }
}

/** Events after which a memory is superseded, and the one after which it is not. */
const ENDS = new Set(["superseded", "retracted", "restored"]);
