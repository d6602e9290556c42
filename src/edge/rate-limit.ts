import { Failure } from "../domain/failure.ts";
import { effectiveLimits } from "../domain/plan.ts";
import type { Caller } from "../service/context.ts";
import { LruMap } from "../service/lru-map.ts";

/** Keys that were active last; a key beyond them starts with a full bucket again. */
export const MAX_RATE_LIMIT_BUCKETS = 20_000;

/** How many requests each API key may make (section 8, D30). */
export interface RateLimiter {
  /** Takes one request from the key's bucket. Throws `rate_limited` with the wait. */
  admit(caller: Caller): void;
}

/** A token bucket, as it was at the last request. */
interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
  /** The limits that have applied since then. */
  readonly rate: number;
  readonly burst: number;
}

/**
 * A token bucket for each API key: it holds `burst` requests, is full at first and
 * refills by `rate` a second. A limit that the operator changes applies from the
 * next request whose caller carries it. `monotonicMs` is a clock that only goes
 * forward.
 *
 * It counts in this process alone: behind a load balancer, n servers admit up to
 * n times the rate.
 */
export function createRateLimiter(monotonicMs: () => number): RateLimiter {
  const buckets = new LruMap<string, Bucket>(MAX_RATE_LIMIT_BUCKETS);
  return {
    admit({ apiKeyId, account }) {
      const { rate, burst } = effectiveLimits(account);
      const atMs = monotonicMs();
      const before = buckets.get(apiKeyId);
      const available = before === undefined ? burst : Math.min(burst, tokensAt(before, atMs));
      const isAdmitted = available >= 1;
      const tokens = isAdmitted ? available - 1 : available;
      buckets.set(apiKeyId, { tokens, atMs, rate, burst });
      if (!isAdmitted) throw rateLimited(rate, burst, (1 - available) / rate);
    },
  };
}

function tokensAt({ tokens, atMs, rate, burst }: Bucket, nowMs: number): number {
  return Math.min(burst, tokens + ((nowMs - atMs) * rate) / 1_000);
}

function rateLimited(rate: number, burst: number, waitSeconds: number): Failure {
  return new Failure(
    "rate_limited",
    `this API key may make ${rate} requests a second, and ${burst} at once after a pause`,
    { retryAfterSeconds: Math.max(1, Math.ceil(waitSeconds)) },
  );
}
