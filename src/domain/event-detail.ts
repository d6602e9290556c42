import type { AuditEventKind, HistoryEvent, JsonValue } from "./audit-event.ts";
import { invalidField } from "./failure.ts";

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
  } else if (Array.isArray(shape)) {
    if (!Array.isArray(value)) throw invalidField(field, "must be a list");
    for (const [index, each] of value.entries()) checkShape(each, shape[0], `${field}[${index}]`);
  } else {
    checkMembers(value, shape as Members, field);
  }
}

function checkMembers(value: JsonValue, members: Members, field: string): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidField(field, "must be an object");
  }
  for (const [name, each] of Object.entries(value)) {
    const shape = Object.hasOwn(members, name) ? members[name] : undefined;
    if (shape === undefined) throw invalidField(`${field}.${name}`, "is not a known field");
    checkShape(each, shape, `${field}.${name}`);
  }
}
