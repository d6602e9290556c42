import type { MemoryId } from "./ids.ts";
import type { Instant } from "./instant.ts";

export type AuditEventKind =
  | "created"
  | "classified"
  | "superseded"
  | "restored"
  | "trimmed"
  | "retracted"
  | "imported";

/** The actor of what the classifier decided. */
export const CLASSIFIER_ACTOR = "classifier";

/** One event of a memory's history (D32), which is append-only. */
export interface HistoryEvent {
  readonly event: AuditEventKind;
  readonly at: Instant;
  /** ID of an API key, or `classifier`. */
  readonly actor: string;
  /** snake_case JSON. */
  readonly detail: { readonly [name: string]: JsonValue };
}

/** The same with the memory that it is about. */
export interface AuditEvent extends HistoryEvent {
  readonly memoryId: MemoryId;
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };
