import { FairSemaphore, type FairSemaphoreLimits } from "../concurrency/fair-semaphore.ts";
import { type BucketLimits, TokenBuckets } from "../concurrency/token-buckets.ts";
import { Failure } from "../domain/failure.ts";

/** Look-ups of keys that this process has not met, over all addresses and for each. */
export const KEY_LOOK_UP_LIMITS: FairSemaphoreLimits = {
  concurrent: 4,
  concurrentPerOwner: 2,
  maxWaiting: 1_000,
  maxWaitingPerOwner: 100,
  waitMs: 5_000,
};
/** How many unknown keys are looked up for one address. */
export const MAX_REFUSALS_AT_ONCE = 100;
export const REFUSALS_PER_SECOND = 20;
/** Addresses whose keys were refused last; one beyond them starts anew. */
export const MAX_REFUSED_ADDRESSES = 10_000;

const REFUSALS: BucketLimits = { rate: REFUSALS_PER_SECOND, burst: MAX_REFUSALS_AT_ONCE };

/**
 * Bounds the look-ups of keys that this process has not met. A few run at a time, in turn for
 * each address, and an address may present so many that turn out to be unknown. Known keys
 * are looked up without these bounds.
 */
export class KeyLookUps {
  readonly #permits = new FairSemaphore(
    KEY_LOOK_UP_LIMITS,
    "too many new API keys are being checked",
  );
  readonly #refusals = new TokenBuckets(MAX_REFUSED_ADDRESSES);
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /**
   * Does the look-up of a key that was presented from `address`; null: there is no such key.
   *
   * Throws `too_many_refusals`, `overloaded` and what the look-up throws.
   */
  async lookUp<T>(address: string, lookUp: () => Promise<T | null>): Promise<T | null> {
    this.#admit(address);
    // Taken beforehand, so that those who wait count too.
    this.#take(address, 1);
    let isRefused = false;
    try {
      const found = await this.#permits.run(address, lookUp);
      isRefused = found === null;
      return found;
    } finally {
      // A key that was not looked up, because too many waited, was not refused either.
      if (!isRefused) this.#take(address, -1);
    }
  }

  #take(address: string, tokens: number): void {
    this.#refusals.take(address, REFUSALS, this.#monotonicMs(), tokens);
  }

  #admit(address: string): void {
    const waitSeconds = this.#refusals.waitSeconds(address, REFUSALS, this.#monotonicMs());
    if (waitSeconds === 0) return;
    throw new Failure(
      "too_many_refusals",
      "too many unknown API keys came from this address, or too many new ones at once; those that were used before still work",
      { retryAfterSeconds: Math.max(1, Math.ceil(waitSeconds)) },
    );
  }
}
