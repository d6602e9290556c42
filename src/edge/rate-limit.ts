import { TokenBucket } from "limiter";
import { Failure } from "../domain/failure.ts";
import { effectiveLimits } from "../domain/plan.ts";
import type { Caller } from "../service/context.ts";

/** Keys that were active last; a key beyond them starts with a full bucket again. */
export const MAX_RATE_LIMIT_BUCKETS = 20_000;

/** How many requests each API key may make (section 8, D30). */
export interface RateLimiter {
  /** Takes one request from the key's bucket. Throws `rate_limited` with the wait. */
  admit(caller: Caller): void;
}

/**
 * A token bucket for each API key: it holds `burst` requests, is full at first and
 * refills by `rate` a second. A limit that the operator changes applies from the
 * next request whose caller carries it.
 *
 * It counts in this process alone: behind a load balancer, n servers admit up to
 * n times the rate.
 */
export function createRateLimiter(): RateLimiter {
  const buckets = new Map<string, TokenBucket>();
  return {
    admit({ apiKeyId, account }) {
      const { rate, burst } = effectiveLimits(account);
      const bucket = buckets.get(apiKeyId) ?? fullBucket(rate, burst);
      // Behind all others: the first bucket is the one that was idle longest.
      buckets.delete(apiKeyId);
      buckets.set(apiKeyId, bucket);
      if (buckets.size > MAX_RATE_LIMIT_BUCKETS) {
        const [idlest = apiKeyId] = buckets.keys();
        buckets.delete(idlest);
      }
      applyLimits(bucket, rate, burst);
      if (!bucket.tryRemoveTokens(1)) throw rateLimited(bucket, rate, burst);
    },
  };
}

function fullBucket(rate: number, burst: number): TokenBucket {
  const bucket = new TokenBucket({
    bucketSize: burst,
    tokensPerInterval: rate,
    interval: "second",
  });
  bucket.content = burst;
  return bucket;
}

function applyLimits(bucket: TokenBucket, rate: number, burst: number): void {
  if (bucket.tokensPerInterval === rate && bucket.bucketSize === burst) return;
  // What has flowed in so far did so at the old rate.
  bucket.drip();
  bucket.tokensPerInterval = rate;
  bucket.bucketSize = burst;
}

function rateLimited(bucket: TokenBucket, rate: number, burst: number): Failure {
  return new Failure(
    "rate_limited",
    `this API key may make ${rate} requests a second, and ${burst} at once after a pause`,
    { retryAfterSeconds: Math.max(1, Math.ceil(bucket.getWaitTime(1) / 1_000)) },
  );
}
