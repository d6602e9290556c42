import type { AuditEvent } from "./audit-event.ts";
import type { MemoryId } from "./ids.ts";
import { DAY, formatInstant, type Instant } from "./instant.ts";
import type { Memory, MemoryFilters } from "./memory.ts";

/** Which memories are erased (4.3, D43, D44). All that is set holds of each; null: it narrows nothing. */
export interface ErasureScope
  extends Pick<MemoryFilters, "sessionId" | "topic" | "createdBefore" | "metadata"> {
  /** null: the default tenant; undefined: every tenant of the account. */
  readonly tenantId: string | null | undefined;
  readonly source: string | null;
  readonly memoryId: MemoryId | null;
  /** Superseded or expired before this moment, and not written later than it. */
  readonly endedBefore: Instant | null;
}

/** Every memory of an account. */
export const WHOLE_ACCOUNT: ErasureScope = {
  tenantId: undefined,
  source: null,
  sessionId: null,
  topic: null,
  createdBefore: null,
  metadata: {},
  memoryId: null,
  endedBefore: null,
};

/** A memory that is kept beside erased ones: of their chain, or of a message of theirs. */
export interface ErasedNeighbour extends Pick<Memory, "id" | "validTo" | "supersededBy"> {
  readonly erasedIds: readonly MemoryId[];
}

/** Says that neighbours were erased, without their text. The two ends are for `known_at`. */
export function neighbourErased(
  { id, validTo, supersededBy, erasedIds }: ErasedNeighbour,
  by: Pick<AuditEvent, "actor" | "at">,
): AuditEvent {
  const end = validTo === null ? null : formatInstant(validTo);
  return {
    memoryId: id,
    event: "neighbour_erased",
    ...by,
    detail: {
      erased: erasedIds,
      superseded_by: supersededBy,
      valid_to: end,
      previous_valid_to: end,
    },
  };
}

/** After how many days memories are erased (D44). Of all rules that fit one, the first due counts. */
export interface RetentionRule {
  /** null: every tenant. */
  readonly tenantId: string | null;
  /** null: every source. */
  readonly source: string | null;
  /** Since it was superseded or expired; null: what has ended stays. */
  readonly endedAfterDays: number | null;
  /** Since it was written; null: it stays. */
  readonly allAfterDays: number | null;
}

/** What a rule has erased now. */
export function dueScopes(rule: RetentionRule, now: Instant): ErasureScope[] {
  const { tenantId, source, endedAfterDays, allAfterDays } = rule;
  const scope = { ...WHOLE_ACCOUNT, tenantId: tenantId ?? undefined, source };
  const before = (days: number) => now - BigInt(days) * DAY;
  return [
    ...(allAfterDays === null ? [] : [{ ...scope, createdBefore: before(allAfterDays) }]),
    ...(endedAfterDays === null ? [] : [{ ...scope, endedBefore: before(endedAfterDays) }]),
  ];
}
