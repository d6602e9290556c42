import { earlier, type Instant } from "./instant.ts";
import type { Metadata } from "./memory.ts";

/** Which memories of a tenant a read is about (1.5, D40); null: the filter is not set. */
export interface MemoryFilters {
  /** Valid time: the memories that hold at this moment, superseded since or not; null: the current ones. */
  readonly asOf: Instant | null;
  /** Transaction time: what the service had been told by this moment, as it knew it then. */
  readonly knownAt: Instant | null;
  /** The conversation that they were written in. */
  readonly sessionId: string | null;
  readonly topic: string | null;
  readonly createdAfter: Instant | null;
  readonly createdBefore: Instant | null;
  /** Texts that each of them has; {}: any memory. */
  readonly metadata: Metadata;
}

export const NO_FILTERS: MemoryFilters = {
  asOf: null,
  knownAt: null,
  sessionId: null,
  topic: null,
  createdAfter: null,
  createdBefore: null,
  metadata: {},
};

/** When a read is answered: now, or as it would have been then. Nothing is known of what is ahead. */
export function momentOf({ knownAt }: Pick<MemoryFilters, "knownAt">, now: Instant): Instant {
  return knownAt === null ? now : earlier(knownAt, now);
}
