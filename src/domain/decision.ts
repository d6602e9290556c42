import type { HistoryEvent, JsonValue } from "./audit-event.ts";
import { isMemoryId, type MemoryId } from "./ids.ts";
import type { Instant } from "./instant.ts";
import type { Memory } from "./memory.ts";

/** The present outcome of a decision of the classifier. */
export type DecisionOutcome = "applied" | "restored" | "watched" | "accepted" | "settled";

/** A memory that the classifier ended, or would have ended. */
export interface DecidedEnd {
  readonly at: Instant;
  readonly memoryId: MemoryId;
  /** null: it was taken back in a conversation. */
  readonly replacementId: MemoryId | null;
  readonly confidence: number;
  readonly reason: string;
  /** false: it only watched. */
  readonly isApplied: boolean;
}

/** The ends that an event of the classifier tells of, in a memory's history. */
export function decidedEnds(
  memoryId: MemoryId,
  { event, at, detail }: Pick<HistoryEvent, "event" | "at" | "detail">,
): DecidedEnd[] {
  if (event === "superseded" || event === "retracted") {
    return [
      {
        at,
        memoryId,
        replacementId: idIn(detail.superseded_by),
        ...judgementIn(detail),
        isApplied: true,
      },
    ];
  }
  // The histories of the memories that ended have the ends that were applied.
  if (event !== "classified" || detail.applied !== false) return [];
  const { supersessions } = detail;
  if (!isList(supersessions)) return [];
  return supersessions.flatMap((each) => {
    const ended = isObject(each) ? idIn(each.memory_id) : null;
    return isObject(each) && ended !== null
      ? [{ at, memoryId: ended, replacementId: memoryId, ...judgementIn(each), isApplied: false }]
      : [];
  });
}

/** Its outcome by now, read from its memory. */
export function outcomeOf(
  { isApplied, replacementId }: DecidedEnd,
  { supersededAt, supersededBy }: Memory,
): DecisionOutcome {
  if (supersededAt === null) return isApplied ? "restored" : "watched";
  if (supersededBy !== replacementId) return "settled";
  return isApplied ? "applied" : "accepted";
}

type JsonObject = { readonly [name: string]: JsonValue };

function judgementIn({ confidence, reason }: JsonObject) {
  return {
    confidence: typeof confidence === "number" ? confidence : 0,
    reason: typeof reason === "string" ? reason : "",
  };
}

function idIn(value: JsonValue | undefined): MemoryId | null {
  return typeof value === "string" && isMemoryId(value) ? value : null;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
