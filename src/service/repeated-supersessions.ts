import { type BucketLimits, TokenBuckets } from "../concurrency/token-buckets.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import { MAX_REPEATED_SUPERSESSIONS_PER_DAY } from "../domain/limits.ts";

const SECONDS_OF_DAY = 24 * 60 * 60;
const LIMITS: BucketLimits = {
  rate: MAX_REPEATED_SUPERSESSIONS_PER_DAY / SECONDS_OF_DAY,
  burst: MAX_REPEATED_SUPERSESSIONS_PER_DAY,
};
/** Accounts that repeated one last; one beyond them starts anew. */
const MAX_ACCOUNTS = 10_000;

/**
 * Bounds what no quota does: supersessions that change nothing, of which each new
 * `Idempotency-Key` keeps one more response for a day. Counts in this process alone.
 */
export class RepeatedSupersessions {
  readonly #buckets = new TokenBuckets(MAX_ACCOUNTS);
  readonly #monotonicMs: () => number;

  /** `monotonicMs` is a clock that only goes forward. */
  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Counts one whose response is to be kept. Throws `rate_limited` with the wait. */
  admit(companyId: CompanyId): void {
    const atMs = this.#monotonicMs();
    const waitSeconds = this.#buckets.waitSeconds(companyId, LIMITS, atMs);
    if (waitSeconds === 0) this.#buckets.take(companyId, LIMITS, atMs, 1);
    else throw tooMany(waitSeconds);
  }
}

function tooMany(waitSeconds: number): Failure {
  const most = MAX_REPEATED_SUPERSESSIONS_PER_DAY.toLocaleString("en");
  return new Failure(
    "rate_limited",
    `an account may repeat ${most} supersessions a day with another \`Idempotency-Key\` each; without one they are answered`,
    { field: "Idempotency-Key", retryAfterSeconds: Math.ceil(waitSeconds) },
  );
}
