import type { AuditEvent } from "./audit-event.ts";
import { Failure } from "./failure.ts";
import { isMemoryId, type MemoryId } from "./ids.ts";
import { earlier, formatInstant, type Instant, parseInstant } from "./instant.ts";
import { type Memory, temporalFlags } from "./memory.ts";

/** What the caller of a supersession asks for; at least one is given. */
export interface SupersessionRequest {
  readonly supersededBy: MemoryId | null;
  readonly validTo: Instant | null;
}

/** What a supersession writes: the only change a memory ever sees. */
export interface SupersessionChange {
  readonly validTo: Instant;
  readonly supersededBy: MemoryId | null;
  readonly supersededAt: Instant;
}

/** The memory's end as the caller is told of it. */
export type StoredSupersession = Pick<SupersessionChange, "validTo" | "supersededBy">;

/** The locked state that a supersession is decided on. */
export interface SupersessionState {
  readonly memory: Memory;
  /** The request that ended the memory before; null: it was not ended. */
  readonly earlierRequest: SupersessionRequest | null;
  /** null: the request names none. */
  readonly replacement: {
    readonly memory: Memory;
    /** Last memory of the chain that the replacement belongs to. */
    readonly chainHeadId: MemoryId;
  } | null;
}

export type SupersessionPlan =
  | { readonly kind: "change"; readonly change: SupersessionChange }
  /** The same call was answered before: its stored result is the answer again. */
  | { readonly kind: "repeat"; readonly stored: StoredSupersession };

/**
 * Decides what a supersession changes (4.8, D18).
 *
 * Throws a `Failure`: `already_superseded`, `supersedes_itself`, `different_tenant`,
 * `supersession_cycle` or `replacement_ended` for a request that contradicts what is
 * stored.
 */
export function planSupersession(
  state: SupersessionState,
  request: SupersessionRequest,
  now: Instant,
): SupersessionPlan {
  const { memory, earlierRequest, replacement } = state;
  if (memory.supersededAt !== null) {
    if (memory.validTo !== null && earlierRequest !== null && isSame(earlierRequest, request)) {
      return {
        kind: "repeat",
        stored: { validTo: memory.validTo, supersededBy: memory.supersededBy },
      };
    }
    throw new Failure(
      "already_superseded",
      "the memory is already superseded, by a request with other values; supersede the head of its chain instead",
    );
  }
  if (replacement !== null) checkReplacement(memory, replacement, now);

  const validTo = request.validTo ?? endByReplacement(memory, replacement?.memory ?? null);
  return {
    kind: "change",
    change: { validTo, supersededBy: request.supersededBy, supersededAt: now },
  };
}

function checkReplacement(
  memory: Memory,
  replacement: NonNullable<SupersessionState["replacement"]>,
  now: Instant,
): void {
  if (replacement.memory.id === memory.id) {
    throw new Failure("supersedes_itself", "`superseded_by` must not be the memory itself", {
      field: "superseded_by",
    });
  }
  if (replacement.memory.tenantId !== memory.tenantId) {
    throw new Failure("different_tenant", "`superseded_by` must be a memory of the same tenant", {
      field: "superseded_by",
    });
  }
  // The memory is the head of its own chain. A replacement whose chain ends in
  // the memory is one of its predecessors, and the link would close a circle.
  if (replacement.chainHeadId === memory.id) {
    throw new Failure(
      "supersession_cycle",
      "`superseded_by` must not be an earlier version of the memory: the chain would be a circle",
      { field: "superseded_by" },
    );
  }
  if (
    replacement.memory.supersededBy === null &&
    !temporalFlags(replacement.memory, now).isCurrent
  ) {
    throw new Failure(
      "replacement_ended",
      "`superseded_by` must not be a memory that was itself ended without a replacement, or that has expired",
      { field: "superseded_by" },
    );
  }
}

/**
 * The end that a replacement gives: its own start, but not after an end that the memory
 * already had. One at or before the memory's start says that it never held as recorded.
 */
function endByReplacement(memory: Memory, replacement: Memory | null): Instant {
  if (replacement === null) {
    throw new Error("a supersession needs a replacement or an end");
  }
  return memory.validTo === null
    ? replacement.validFrom
    : earlier(replacement.validFrom, memory.validTo);
}

function isSame(a: SupersessionRequest, b: SupersessionRequest): boolean {
  return a.supersededBy === b.supersededBy && a.validTo === b.validTo;
}

/** The event that records a supersession, with what was asked and what it ended. */
export function supersededEvent(
  memory: Memory,
  request: SupersessionRequest,
  change: SupersessionChange,
  by: {
    readonly actor: string;
    /** Of the classifier; left out where a caller decided. */
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

/** The request that a `superseded` event records; null: it records none. */
export function requestOf(detail: AuditEvent["detail"]): SupersessionRequest | null {
  const { requested } = detail;
  if (typeof requested !== "object" || requested === null || !("superseded_by" in requested)) {
    return null;
  }
  const { superseded_by: by, valid_to: end } = requested;
  return {
    supersededBy: typeof by === "string" && isMemoryId(by) ? by : null,
    validTo: typeof end === "string" ? parseInstant(end) : null,
  };
}

/** The end that a memory had before the supersession that its event records; null: none. */
export function previousEnd({ previous_valid_to: previous }: AuditEvent["detail"]): Instant | null {
  return typeof previous === "string" ? parseInstant(previous) : null;
}

function formatOptional(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
