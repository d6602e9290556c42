import type { Config } from "../config/config.ts";
import type { CompanyId } from "../domain/ids.ts";
import { createRateLimiter, type RateLimiter, type SharedBuckets } from "../edge/rate-limit.ts";
import type { Log } from "../log.ts";
import type { SharedLimitMetrics } from "../metrics/shared-limits.ts";

export interface RateLimitOptions {
  /** The account that has no limit until the operator gives it one; null: none. */
  readonly unlimitedId: CompanyId | null;
  readonly metrics: SharedLimitMetrics;
  readonly monotonicMs: () => number;
  readonly log: Log;
  /** Told what to do when the server ends. */
  readonly onClose: (close: () => Promise<void>) => void;
}

/** null: every key may ask as often as it likes. */
export async function composeRateLimiter(
  { rateLimit, redis }: Config,
  options: RateLimitOptions,
): Promise<RateLimiter | null> {
  if (!rateLimit) return null;
  const shared = redis === null ? null : await openSharedBuckets(redis, options);
  return createRateLimiter(options.monotonicMs, options.unlimitedId, shared);
}

async function openSharedBuckets(
  redis: NonNullable<Config["redis"]>,
  { metrics, log, onClose }: RateLimitOptions,
): Promise<SharedBuckets> {
  // Its library takes memory that most services do without.
  const { RedisBuckets } = await import("../redis/shared-buckets.ts");
  const buckets = new RedisBuckets(redis, log);
  onClose(async () => buckets.close());
  metrics.watchSharedLimits(() => buckets.state);
  await buckets.connect();
  return buckets;
}
