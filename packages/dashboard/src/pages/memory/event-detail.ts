import type { AuditEvent } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";

/** The part of an event's detail that pages show; null: it has none. */
export interface EventDetail {
  readonly supersededBy: string | null;
  readonly confidence: number | null;
  /** The reason that the classifier gave. */
  readonly reason: string | null;
  readonly applied: boolean | null;
}

/** Reads what is known of a detail, whose fields depend on the event. */
export function detailOf(detail: AuditEvent["detail"]): EventDetail {
  const { superseded_by: supersededBy, confidence, reason, applied, superseded } = detail ?? {};
  const wouldEnd = typeof superseded === "string";
  return {
    supersededBy: typeof supersededBy === "string" ? supersededBy : null,
    confidence: typeof confidence === "number" ? confidence : null,
    reason: typeof reason === "string" && reason !== "" ? reason : null,
    applied: wouldEnd && typeof applied === "boolean" ? applied : null,
  };
}
