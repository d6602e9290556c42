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
  /** Closed when the server ends. */
  readonly resources: AsyncDisposableStack;
}

/** null: keys have no rate limit. */
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
  { metrics, log, resources }: RateLimitOptions,
): Promise<SharedBuckets> {
  // Loaded only here: its library takes memory that most services do not need.
  const { RedisBuckets } = await import("../redis/shared-buckets.ts");
  const buckets = new RedisBuckets(redis, log);
  resources.defer(() => buckets.close());
  metrics.watchSharedLimits(() => buckets.state);
  await buckets.connect();
  return buckets;
}
