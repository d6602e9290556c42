import type { KeyRights } from "./api-key.ts";
import { Failure } from "./failure.ts";
import type { CompanyId } from "./ids.ts";
import { DAY, formatInstant, type Instant, instantFromDate, later, SECOND } from "./instant.ts";

export type PlanTier = "starter" | "pro";
export type PlanStatus = "active" | "past_due" | "canceled";

export interface PlanLimits {
  /** Writes a billing period. */
  readonly writesLimit: number;
  /** How long reads are served after the quota was reached. */
  readonly graceDays: number;
  /** Requests a second for each key. */
  readonly rate: number;
  /** Requests that a key may make at once. */
  readonly burst: number;
}

/** Limits of an account's own; one that is null follows the tier. */
export type OwnLimits = { readonly [limit in keyof PlanLimits]: PlanLimits[limit] | null };

export interface Account extends OwnLimits {
  readonly companyId: CompanyId;
  /** UUID. */
  readonly orgId: string;
  readonly planTier: PlanTier;
  readonly planStatus: PlanStatus;
  /** Billing periods are counted in calendar months from here. */
  readonly periodAnchor: Instant;
  readonly createdAt: Instant;
  /** Since when the operator lets none of its keys do anything; null: it is not suspended. */
  readonly suspendedAt: Instant | null;
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

export interface WriteUsage {
  readonly periodStart: Instant;
  readonly writesUsed: number;
  /** When the quota was reached; null: it was not. */
  readonly quotaReachedAt: Instant | null;
  /** End of grace that the operator set for this period; null: grace days after the quota was reached. */
  readonly graceEndsAt: Instant | null;
}

export const GRACE_DAYS = 7;

/** The limits of each tier, where the operator set none for the account (D30). */
export const PLAN_TIERS: { readonly [tier in PlanTier]: PlanLimits } = {
  starter: { writesLimit: 10_000, graceDays: GRACE_DAYS, rate: 10, burst: 40 },
  pro: { writesLimit: 100_000, graceDays: GRACE_DAYS, rate: 50, burst: 200 },
};

/** The account's own limits where the operator set them, else those of its tier. */
export function effectiveLimits(account: Account): PlanLimits {
  const tier = PLAN_TIERS[account.planTier];
  return {
    writesLimit: account.writesLimit ?? tier.writesLimit,
    graceDays: account.graceDays ?? tier.graceDays,
    rate: account.rate ?? tier.rate,
    burst: account.burst ?? tier.burst,
  };
}

/** Write usage of the current billing period against the quota (2.7). */
export interface PlanUsage
  extends Pick<Account, "orgId" | "planTier" | "planStatus">,
    Pick<PlanLimits, "writesLimit">,
    Pick<WriteUsage, "writesUsed" | "periodStart"> {
  /** Never below 0. */
  readonly writesRemaining: number;
  /** Start of the next period, when usage is 0 again. */
  readonly periodEnd: Instant;
  /** The quota is reached and reads still work. Never true together with `blocked`. */
  readonly inGracePeriod: boolean;
  /** Grace has ended: reads are refused too. */
  readonly blocked: boolean;
  /** null: the quota was not reached, and the operator set no end for this period. */
  readonly graceEndsAt: Instant | null;
  /** To the next period, rounded up; at least 1. */
  readonly retryAfterSeconds: number;
}

/** An account's plan at `now`. `known`: what was last read, perhaps of an earlier period. */
export function planUsage(account: Account, known: WriteUsage | null, now: Instant): PlanUsage {
  const { orgId, planTier, planStatus } = account;
  const { writesLimit, graceDays } = effectiveLimits(account);
  const period = billingPeriod(account.periodAnchor, now);
  const unused = {
    periodStart: period.start,
    writesUsed: 0,
    quotaReachedAt: null,
    graceEndsAt: null,
  };
  const usage = known?.periodStart === period.start ? known : unused;
  const exhausted = usage.writesUsed >= writesLimit;
  const graceEndsAt = usage.graceEndsAt ?? (exhausted ? graceEnd(usage, graceDays) : null);
  const blocked = exhausted && graceEndsAt !== null && graceEndsAt <= now;
  return {
    ...{ orgId, planTier, planStatus, writesLimit },
    writesUsed: usage.writesUsed,
    writesRemaining: Math.max(0, writesLimit - usage.writesUsed),
    periodStart: period.start,
    periodEnd: period.end,
    inGracePeriod: exhausted && !blocked,
    blocked,
    graceEndsAt,
    retryAfterSeconds: secondsUntil(period.end, now),
  };
}

/**
 * Grace of an exhausted period without an end of its own. With nothing written and nothing allowed
 * it began with the period. Else a missing moment means that the limit fell while nobody watched:
 * that must not cut off reads at once, so it has no end.
 */
function graceEnd(usage: WriteUsage, graceDays: number): Instant | null {
  const reachedAt = usage.quotaReachedAt ?? (usage.writesUsed === 0 ? usage.periodStart : null);
  return reachedAt === null ? null : reachedAt + BigInt(graceDays) * DAY;
}

/**
 * Refuses a request that stores memories where the plan forbids it. Canceled comes first: waiting
 * for the next period, which is what a 429 advises, would not help (D31).
 *
 * Throws `plan_canceled`, `plan_blocked` or `write_quota_exceeded`.
 */
export function checkWriteAllowed(plan: PlanUsage): void {
  if (plan.planStatus === "canceled") {
    throw new Failure("plan_canceled", "the plan of this account is canceled: writes are refused");
  }
  checkReadAllowed(plan);
  if (plan.inGracePeriod) throw writeQuotaExceeded(plan);
}

/**
 * Refuses every other request of a blocked account (D30): reads, and supersede, restore and
 * settings, which are no writes. Deletes and the plan status are always served and do not ask.
 *
 * Throws `plan_blocked`.
 */
export function checkReadAllowed(plan: PlanUsage): void {
  if (!plan.blocked) return;
  throw new Failure(
    "plan_blocked",
    `the write quota was reached and its grace period has ended: reads and writes are refused until ${formatInstant(plan.periodEnd)}`,
    { retryAfterSeconds: plan.retryAfterSeconds },
  );
}

/** A 429 with the time to the next period. */
export function writeQuotaExceeded({
  periodEnd,
  retryAfterSeconds,
}: Pick<PlanUsage, "periodEnd" | "retryAfterSeconds">): Failure {
  return new Failure(
    "write_quota_exceeded",
    `the write quota of this billing period is used up: writes are refused until ${formatInstant(periodEnd)}`,
    { retryAfterSeconds },
  );
}

/** Whole seconds to wait, rounded up; at least 1. */
export function secondsUntil(end: Instant, now: Instant): number {
  const wait = later(end - now, SECOND);
  return Number((wait + SECOND - 1n) / SECOND);
}

/**
 * The billing period at a moment (D30), half open: calendar months in UTC, counted from the
 * anchor. A day that a month does not have is its last day (31 January, 28
 * February, 31 March); the time of day stays, to the microsecond.
 *
 * Nothing precedes the anchor: a server whose clock is a little behind that of
 * the one which set the anchor counts into the first period.
 */
export function billingPeriod(anchor: Instant, now: Instant): Record<"start" | "end", Instant> {
  const months = Math.max(0, monthsSinceYearZero(now) - monthsSinceYearZero(anchor));
  const start = addMonths(anchor, months);
  if (start > now && months > 0) return { start: addMonths(anchor, months - 1), end: start };
  return { start, end: addMonths(anchor, months + 1) };
}

function monthsSinceYearZero(instant: Instant): number {
  const date = new Date(Number(startOfDay(instant) / 1000n));
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Counts from the anchor, not from the period before, so that a clamped day does not stick. */
function addMonths(anchor: Instant, months: number): Instant {
  const dayStart = startOfDay(anchor);
  const date = new Date(Number(dayStart / 1000n));
  const day = date.getUTCDate();
  // The last day of the month.
  date.setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0);
  date.setUTCDate(Math.min(day, date.getUTCDate()));
  return instantFromDate(date) + (anchor - dayStart);
}

function startOfDay(instant: Instant): Instant {
  const sinceMidnight = ((instant % DAY) + DAY) % DAY;
  return instant - sinceMidnight;
}
