import { type BucketLimits, TokenBuckets } from "../concurrency/token-buckets.ts";
import type { Account } from "../domain/account.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import { effectiveLimits } from "../domain/plan.ts";
import type { KnownCaller } from "../service/context.ts";

/** Keys that were active last; a key beyond them starts with a full bucket again. */
export const MAX_RATE_LIMIT_BUCKETS = 20_000;
/** What a request brings and gets for the one token that every request costs. */
export const LIGHT_BODY_BYTES = 64 * 1024;
export const LIGHT_ROWS = 250;
/** Heavy requests put off the next one by so much at most. */
export const MAX_RATE_DEBT_SECONDS = 10;

/** How many requests each API key may make (section 8, D30). */
export interface RateLimiter {
  /** Takes one request from the key's bucket. Throws `rate_limited` with the wait. */
  admit(caller: KnownCaller): void;
  /**
   * Takes what the request in hand turned out to cost besides. The request goes on; where
   * the bucket does not hold as much, later ones wait longer.
   */
  charge(caller: KnownCaller, tokens: number): void;
}

/** What a body costs besides: a token for each 64 KiB that were begun behind the first. */
export function costOfBody(bytes: number): number {
  return costBeyond(bytes, LIGHT_BODY_BYTES);
}

/** What an answer costs besides: a token for each 250 rows that were begun behind the first. */
export function costOfRows(rows: number): number {
  return costBeyond(rows, LIGHT_ROWS);
}

function costBeyond(size: number, light: number): number {
  return Math.max(0, Math.ceil(size / light) - 1);
}

/**
 * A token bucket for each API key: it holds `burst` requests, is full at first and
 * refills by `rate` a second. A limit that the operator changes applies from the
 * next request whose caller carries it. `monotonicMs` is a clock that only goes
 * forward.
 *
 * It counts in this process alone: behind a load balancer, n servers admit up to
 * n times the rate.
 *
 * `unlimitedId`: the account that has no limit until the operator gives it one; null: none.
 */
export function createRateLimiter(
  monotonicMs: () => number,
  unlimitedId: CompanyId | null = null,
): RateLimiter {
  const buckets = new TokenBuckets(MAX_RATE_LIMIT_BUCKETS);
  const isUnlimited = ({ companyId, rate, burst }: Account) =>
    companyId === unlimitedId && rate === null && burst === null;
  return {
    admit({ apiKeyId, account }) {
      if (isUnlimited(account)) return;
      const limits = limitsOf(account);
      const atMs = monotonicMs();
      const waitSeconds = buckets.waitSeconds(apiKeyId, limits, atMs);
      if (waitSeconds > 0) throw rateLimited(limits, waitSeconds);
      buckets.take(apiKeyId, limits, atMs, 1);
    },
    charge({ apiKeyId, account }, tokens) {
      if (tokens === 0 || isUnlimited(account)) return;
      const limits = limitsOf(account);
      const maxDebt = limits.rate * MAX_RATE_DEBT_SECONDS;
      buckets.take(apiKeyId, limits, monotonicMs(), tokens, maxDebt);
    },
  };
}

function limitsOf(account: Account): BucketLimits {
  const { rate, burst } = effectiveLimits(account);
  return { rate, burst };
}

function rateLimited({ rate, burst }: BucketLimits, waitSeconds: number): Failure {
  return new Failure(
    "rate_limited",
    `this API key may make ${rate} requests a second, and ${burst} at once after a pause; a large body or a long list counts as several`,
    { retryAfterSeconds: Math.max(1, Math.ceil(waitSeconds)) },
  );
}
