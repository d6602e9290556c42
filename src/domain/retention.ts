import { type ErasureScope, WHOLE_ACCOUNT } from "./erasure.ts";
import { DAY, type Instant } from "./instant.ts";

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
