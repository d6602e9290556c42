import { Failure } from "./failure.ts";
import type { CompanyId } from "./ids.ts";
import type { Instant } from "./instant.ts";
import type { KeyRights } from "./key-rights.ts";

export type PlanTier = "starter" | "pro";
export type PlanStatus = "active" | "past_due" | "canceled";

/** An owner of memories, and its plan. A limit that is null follows the tier. */
export interface Account {
  readonly companyId: CompanyId;
  /** UUID. */
  readonly orgId: string;
  readonly planTier: PlanTier;
  readonly planStatus: PlanStatus;
  /** Writes a billing period. */
  readonly writesLimit: number | null;
  readonly graceDays: number | null;
  /** Requests a second for each key. */
  readonly rate: number | null;
  /** Requests that a key may make at once. */
  readonly burst: number | null;
  /** Billing periods are counted in calendar months from here. */
  readonly periodAnchor: Instant;
  readonly createdAt: Instant;
  /** Since when the operator lets none of its keys do anything; null: it is not suspended. */
  readonly suspendedAt: Instant | null;
}

/**
 * Refuses every request of a suspended account: also what is served on every plan, since
 * its keys may be in the wrong hands, and what it holds may be needed as it is.
 *
 * Throws `account_suspended`.
 */
export function checkNotSuspended({ suspendedAt }: Account): void {
  if (suspendedAt === null) return;
  throw new Failure(
    "account_suspended",
    "this account is suspended: all requests are refused until the operator lifts that",
  );
}

/** The writes of an account in one billing period. */
export interface WriteUsage {
  readonly periodStart: Instant;
  readonly writesUsed: number;
  /** When the quota was reached; null: it was not. */
  readonly quotaReachedAt: Instant | null;
  /** End of grace that the operator set for this period; null: grace days after the quota was reached. */
  readonly graceEndsAt: Instant | null;
}

/** An API key as it is stored: never the key itself. */
export interface ApiKey extends KeyRights {
  readonly id: string;
  readonly companyId: CompanyId;
  /** First characters of the key, to tell keys apart. */
  readonly prefix: string;
  /** Its name for people; null: nobody gave it one. */
  readonly name: string | null;
  readonly createdAt: Instant;
  /** The first moment at which it is refused; null: it has no end. */
  readonly expiresAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  readonly revokedAt: Instant | null;
}
