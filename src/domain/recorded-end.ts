import type { AuditEventKind, HistoryEvent, JsonValue } from "./audit-event.ts";
import { invalidField } from "./failure.ts";
import { isMemoryId, type MemoryId } from "./ids.ts";
import { formatInstant, type Instant, parseInstant } from "./instant.ts";
import type { Memory } from "./memory.ts";

export interface RecordedEnd extends Pick<Memory, "supersededBy" | "supersededAt"> {
  /** undefined: nothing ever ended it, so it has the end that it was written with. */
  readonly validTo: Instant | null | undefined;
  /** The end that it was written with; undefined: as `validTo`. */
  readonly writtenEnd: Instant | null | undefined;
  /** The end that its supersession gave, before later versions moved it; null: it has none. */
  readonly givenEnd: Instant | null;
  /** The versions that moved that end. */
  readonly trimmedBy: ReadonlySet<MemoryId>;
  /** A memory beside it was erased since that supersession. */
  readonly isBesideErased: boolean;
}

interface State extends RecordedEnd {
  /** One set for all that a supersession is followed by: there may be thousands. */
  readonly trimmedBy: Set<MemoryId>;
  /** The end that it had before it was superseded. */
  readonly endBefore: Instant | null;
}

const NEVER_ENDED: State = {
  validTo: undefined,
  writtenEnd: undefined,
  givenEnd: null,
  trimmedBy: new Set(),
  isBesideErased: false,
  supersededBy: null,
  supersededAt: null,
  endBefore: null,
};

/**
 * Reads a history from its first event on, as it must have been written: each event is one
 * that could follow those before it. Throws `invalid_field`, which names the event.
 */
export function recordedEnd(history: readonly HistoryEvent[]): RecordedEnd {
  let state = NEVER_ENDED;
  for (const [index, event] of history.entries()) {
    const field = `history[${index}]`;
    switch (event.event) {
      case "created":
        if (index !== 0) throw invalidField(field, "must not be `created`: only the first one is");
        break;
      case "classified":
        if (index !== 1) throw invalidField(field, "must not be `classified`: only the second is");
        break;
      case "superseded":
      case "retracted":
        state = superseded(state, event, field);
        break;
      case "restored":
        state = restored(state, event, field);
        break;
      case "trimmed":
        state = trimmed(state, event, field);
        break;
      case "neighbour_erased":
        state = besideErased(state, event, field);
        break;
      // An import moves no end (D42a).
      case "imported":
    }
  }
  if (history[0]?.event !== "created") throw invalidField("history", "must begin with `created`");
  return state;
}

function superseded(state: State, { event, at, detail }: HistoryEvent, field: string): State {
  if (state.supersededAt !== null) {
    throw invalidField(field, `must not be \`${event}\` where the memory is superseded already`);
  }
  const endBefore = readOptionalInstant(detail, "previous_valid_to", field);
  if (state.validTo !== undefined && endBefore !== state.validTo) {
    throw invalidField(`${field}.detail.previous_valid_to`, "must be the end that it had then");
  }
  const supersededBy = readOptionalId(detail, "superseded_by", field);
  if (event === "retracted" && supersededBy !== null) {
    throw invalidField(`${field}.detail.superseded_by`, "must be null in a retraction");
  }
  const validTo = readInstant(detail, "valid_to", field);
  const writtenEnd = state.validTo === undefined ? endBefore : state.writtenEnd;
  const given = { validTo, writtenEnd, givenEnd: validTo, trimmedBy: new Set<MemoryId>() };
  return { ...NEVER_ENDED, ...given, endBefore, supersededBy, supersededAt: at };
}

function restored(state: State, { detail }: HistoryEvent, field: string): State {
  if (state.supersededAt === null) {
    throw invalidField(field, "must not be `restored` where the memory is not superseded");
  }
  if (readOptionalId(detail, "superseded_by", field) !== state.supersededBy) {
    throw invalidField(`${field}.detail.superseded_by`, "must be the replacement that it had then");
  }
  const validTo = readOptionalInstant(detail, "valid_to", field);
  if (validTo !== state.endBefore) {
    throw invalidField(`${field}.detail.valid_to`, "must be the end before its supersession");
  }
  return { ...NEVER_ENDED, validTo, writtenEnd: state.writtenEnd };
}

function trimmed(state: State, { detail }: HistoryEvent, field: string): State {
  if (state.supersededBy === null) {
    throw invalidField(field, "must not be `trimmed` where the memory has no replacement");
  }
  if (readInstant(detail, "from", field) !== state.validTo) {
    throw invalidField(`${field}.detail.from`, "must be the end that it had then");
  }
  state.trimmedBy.add(readId(detail, "by", field));
  return { ...state, validTo: readInstant(detail, "to", field) };
}

/** What it had been replaced by may be another one now. Its end stays as it is by then. */
function besideErased(state: State, { detail }: HistoryEvent, field: string): State {
  const validTo = readOptionalInstant(detail, "valid_to", field);
  if (state.validTo !== undefined && validTo !== state.validTo) {
    throw invalidField(`${field}.detail.valid_to`, "must be the end that it had then");
  }
  const supersededBy = readOptionalId(detail, "superseded_by", field);
  if (supersededBy !== null && state.supersededBy === null) {
    throw invalidField(`${field}.detail.superseded_by`, "must be null where it has no replacement");
  }
  return { ...state, supersededBy, isBesideErased: true };
}

type Detail = HistoryEvent["detail"];

/** As they were written: what asks the database for a moment reads them there. */
function readInstant(detail: Detail, name: string, field: string): Instant {
  const text = detail[name];
  const instant = typeof text === "string" ? parseInstant(text) : null;
  if (instant === null || formatInstant(instant) !== text) {
    const example = "2026-05-04T03:02:01.000000Z";
    throw invalidField(`${field}.detail.${name}`, `must be a time as in ${example}`);
  }
  return instant;
}

function readId(detail: Detail, name: string, field: string): MemoryId {
  const id: JsonValue | undefined = detail[name];
  if (typeof id === "string" && isMemoryId(id)) return id;
  throw invalidField(`${field}.detail.${name}`, "must be a UUID in lower case");
}

function readOptionalInstant(detail: Detail, name: string, field: string): Instant | null {
  return isNone(detail[name]) ? null : readInstant(detail, name, field);
}

function readOptionalId(detail: Detail, name: string, field: string): MemoryId | null {
  return isNone(detail[name]) ? null : readId(detail, name, field);
}

function isNone(value: JsonValue | undefined): boolean {
  return value === null || value === undefined;
}

type Word = "text" | "number" | "boolean" | "text or null" | "number or null";
/** A list has one entry, which is the shape of each. */
type Shape = Word | readonly [Shape] | Members;
interface Members {
  readonly [name: string]: Shape;
}

const DECISION = { confidence: "number", reason: "text", model: "text" } as const;
const END = {
  superseded_by: "text or null",
  valid_to: "text",
  previous_valid_to: "text or null",
  requested: { superseded_by: "text or null", valid_to: "text or null" },
  ...DECISION,
  candidates: ["text"],
} as const;

const CALLS = [
  {
    provider: "text or null",
    model: "text or null",
    calls: "number",
    input_tokens: "number or null",
    output_tokens: "number or null",
    duration_ms: "number or null",
    attempts: "number or null",
  },
] as const;

/** What the detail of each event may hold (D32). Times and IDs are read by `recordedEnd`. */
const DETAILS: Readonly<Record<AuditEventKind, Members>> = {
  created: { mode: "text", source: "text", model_calls: { extract: CALLS, embed: CALLS } },
  classified: {
    candidates: ["text"],
    superseded: "text or null",
    supersessions: [{ memory_id: "text", confidence: "number", reason: "text" }],
    applied: "boolean",
    skipped_reason: "text or null",
    ...DECISION,
    model_calls: CALLS,
  },
  superseded: END,
  retracted: { ...END, text: "text" },
  restored: { superseded_by: "text or null", valid_to: "text or null" },
  trimmed: { from: "text", to: "text", by: "text" },
  imported: {},
  neighbour_erased: {
    erased: ["text"],
    superseded_by: "text or null",
    valid_to: "text or null",
    previous_valid_to: "text or null",
  },
};

/** Throws `invalid_field` for what the service writes into no detail of such an event. */
export function checkDetail({ event, detail }: HistoryEvent, field: string): void {
  checkShape(detail, DETAILS[event], `${field}.detail`);
}

function checkShape(value: JsonValue, shape: Shape, field: string): void {
  if (typeof shape === "string") {
    const kind = value === null ? "null" : typeof value === "string" ? "text" : typeof value;
    if (!shape.split(" or ").includes(kind)) throw invalidField(field, `must be ${shape}`);
  } else if ("0" in shape) {
    if (!Array.isArray(value)) throw invalidField(field, "must be a list");
    for (const [index, each] of value.entries()) checkShape(each, shape[0], `${field}[${index}]`);
  } else {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw invalidField(field, "must be an object");
    }
    for (const [name, each] of Object.entries(value)) {
      const member = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (member === undefined) throw invalidField(`${field}.${name}`, "is not a known field");
      checkShape(each, member, `${field}.${name}`);
    }
  }
}
