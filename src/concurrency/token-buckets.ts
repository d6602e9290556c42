import { LruMap } from "./bounds.ts";

export interface BucketLimits {
  /** Tokens a second. */
  readonly rate: number;
  /** The tokens that a bucket holds at most, and at first. */
  readonly burst: number;
}

/** A bucket as it was when it was last looked at. */
interface Bucket {
  /** Less than 0: debt. */
  readonly tokens: number;
  readonly atMs: number;
  /** The limits that have applied since then. */
  readonly limits: BucketLimits;
}

/**
 * A bucket for each owner, by milliseconds of a clock that only goes forward. Beyond `maxBuckets`,
 * the owner idle for longest has a full one again.
 */
export class TokenBuckets {
  readonly #buckets: LruMap<string, Bucket>;

  constructor(maxBuckets: number) {
    this.#buckets = new LruMap(maxBuckets);
  }

  /** The tokens in the bucket; less than 0: debt. */
  tokens(owner: string, limits: BucketLimits, atMs: number): number {
    const tokens = Math.min(limits.burst, this.#tokensAt(owner, limits, atMs));
    this.#buckets.set(owner, { tokens, atMs, limits });
    return tokens;
  }

  /** Takes tokens, into a debt of up to `maxDebt`. Less than 0 gives some back. */
  take(owner: string, limits: BucketLimits, atMs: number, tokens: number, maxDebt = 0): void {
    const before = this.tokens(owner, limits, atMs);
    // A debt that was made under other limits is no reason to give any of it back.
    const least = Math.min(before, -maxDebt);
    this.#buckets.set(owner, { tokens: Math.max(least, before - tokens), atMs, limits });
  }

  #tokensAt(owner: string, { burst }: BucketLimits, atMs: number): number {
    const bucket = this.#buckets.get(owner);
    if (bucket === undefined) return burst;
    const { tokens, limits } = bucket;
    const refilled = ((atMs - bucket.atMs) * limits.rate) / 1_000;
    return Math.min(limits.burst, tokens + refilled);
  }
}
