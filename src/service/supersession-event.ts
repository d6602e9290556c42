import type { AuditEvent } from "../domain/audit-event.ts";
import { formatInstant, type Instant, parseInstant } from "../domain/instant.ts";
import type { Memory } from "../domain/memory.ts";
import type { SupersessionChange, SupersessionRequest } from "../domain/supersession.ts";

/** The event that records a supersession, with what was asked and what it ended. */
export function supersededEvent(
  memory: Memory,
  request: SupersessionRequest,
  change: SupersessionChange,
  by: {
    readonly actor: string;
    readonly decision?: { confidence: number; reason: string; model: string };
  },
): AuditEvent {
  return {
    memoryId: memory.id,
    event: "superseded",
    at: change.supersededAt,
    actor: by.actor,
    detail: {
      superseded_by: change.supersededBy,
      valid_to: formatInstant(change.validTo),
      previous_valid_to: formatOptional(memory.validTo),
      requested: {
        superseded_by: request.supersededBy,
        valid_to: formatOptional(request.validTo),
      },
      ...by.decision,
    },
  };
}

/** The request of the last supersession in a history; null where there is none. */
export function lastSupersessionRequest(
  history: readonly AuditEvent[],
): SupersessionRequest | null {
  const event = history.findLast(({ event }) => event === "superseded");
  const requested = event?.detail.requested as
    | { superseded_by: string | null; valid_to: string | null }
    | undefined;
  if (requested === undefined) return null;
  return {
    supersededBy: requested.superseded_by,
    validTo: requested.valid_to === null ? null : parseInstant(requested.valid_to),
  };
}

function formatOptional(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
