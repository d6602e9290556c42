import type { MemoryId } from "./ids.ts";
import type { Instant } from "./instant.ts";

export type AuditEventKind =
  | "created"
  | "classified"
  | "superseded"
  | "restored"
  | "trimmed"
  | "retracted"
  | "imported"
  | "neighbour_erased";

/** The actor of what the classifier decided. */
export const CLASSIFIER_ACTOR = "classifier";
/** The actors of what was erased without an API key. */
export const DASHBOARD_ACTOR = "dashboard";
export const OPERATOR_ACTOR = "operator";
export const RETENTION_ACTOR = "retention";
/** All actors that are no API key. */
export const KEYLESS_ACTORS: readonly string[] = [
  CLASSIFIER_ACTOR,
  DASHBOARD_ACTOR,
  OPERATOR_ACTOR,
  RETENTION_ACTOR,
];

/** One event of a memory's history (D32), which is append-only. */
export interface HistoryEvent {
  readonly event: AuditEventKind;
  readonly at: Instant;
  /** ID of an API key, or one of the words above. */
  readonly actor: string;
  /** snake_case JSON. */
  readonly detail: { readonly [name: string]: JsonValue };
}

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
