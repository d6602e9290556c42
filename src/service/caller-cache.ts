import { LruMap } from "../concurrency/bounds.ts";
import { FairSemaphore, type FairSemaphoreLimits } from "../concurrency/fair-semaphore.ts";
import { type BucketLimits, TokenBuckets } from "../concurrency/token-buckets.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import { type Instant, type Microseconds, SECOND } from "../domain/instant.ts";

/** How long a key and its account count as read: every server heeds changes within a second. */
export const CALLER_CACHE_MS = 900;
/**
 * From this age on it is looked up again, while requests go on with what is known: so whoever
 * calls all the time never waits for it behind what others have the database do.
 */
export const CALLER_REFRESH_MS = 500;
export const MAX_CACHED_CALLERS = 10_000;
/**
 * How long a key stays refused without another look. No key is given before it is stored, or
 * revived, so this matters only where an operator changes the database itself.
 */
export const REFUSED_KEY_SECONDS = 60;
export const MAX_REFUSED_KEYS = 10_000;

const MAX_AGE: Microseconds = (BigInt(CALLER_CACHE_MS) * SECOND) / 1_000n;
const REFRESH_AGE: Microseconds = (BigInt(CALLER_REFRESH_MS) * SECOND) / 1_000n;
const MAX_REFUSED_AGE: Microseconds = BigInt(REFUSED_KEY_SECONDS) * SECOND;

interface Known<Caller> {
  readonly caller: Caller;
  /** null: to be looked up again. */
  since: Instant | null;
}

interface LookUp<Caller> {
  readonly since: Instant;
  /** The account of the key at its last look-up; null: there was none. */
  readonly owner: CompanyId | null;
  readonly caller: Promise<Caller | null>;
}

/**
 * The callers whose keys were presented a moment ago, good or not; one cache a process. It
 * remembers at most MAX_CACHED_CALLERS good keys and MAX_REFUSED_KEYS others.
 */
export class CallerCache<Caller extends { readonly companyId: CompanyId }> {
  readonly #lookUpKey: ReturnType<typeof boundKeyLookUps>;
  /** Those too whose age is over: that they were good is what they are looked up by. */
  readonly #known = new LruMap<string, Known<Caller>>(MAX_CACHED_CALLERS);
  readonly #refused = new LruMap<string, Instant>(MAX_REFUSED_KEYS);
  readonly #lookUps = new Map<string, LookUp<Caller>>();

  /** `monotonicMs` is a clock that only goes forward. */
  constructor(monotonicMs: () => number) {
    this.#lookUpKey = boundKeyLookUps(monotonicMs);
  }

  /**
   * The caller of a key digest; null: there is no such key. Requests at once share a look-up. Its
   * age counts from its start, so that nothing is served beyond CALLER_CACHE_MS. One that throws is
   * forgotten.
   *
   * `find` is given whose key it was lately, or null. Look-ups of the latter take turns by
   * `address`.
   *
   * Throws `too_many_refusals` for an address with too many unknown keys, `overloaded`, and what
   * `find` throws.
   */
  async get(
    digest: string,
    address: string,
    now: Instant,
    find: (owner: CompanyId | null) => Promise<Caller | null>,
  ): Promise<Caller | null> {
    if (isYoung(this.#refused.get(digest), now, MAX_REFUSED_AGE)) return null;
    const entry = this.#known.get(digest);
    const since = entry?.since;
    if (entry !== undefined && isYoung(since, now, REFRESH_AGE)) return entry.caller;
    const running = this.#lookUps.get(digest);
    const found =
      running !== undefined && isYoung(running.since, now, MAX_AGE)
        ? running.caller
        : this.#lookUp(digest, now, entry?.caller.companyId ?? null, address, find);
    if (entry === undefined || !isYoung(since, now, MAX_AGE)) return found;
    // Where it fails, whoever comes when the age is over asks again.
    found.catch(() => {});
    return entry.caller;
  }

  #lookUp(
    digest: string,
    since: Instant,
    owner: CompanyId | null,
    address: string,
    find: (owner: CompanyId | null) => Promise<Caller | null>,
  ): Promise<Caller | null> {
    const read = () => find(owner);
    const answered = owner === null ? this.#lookUpKey(address, read) : read();
    const settled = async () => {
      try {
        const found = await answered;
        this.#settle(digest, lookUp, found);
        return found;
      } finally {
        if (this.#lookUps.get(digest) === lookUp) this.#lookUps.delete(digest);
      }
    };
    const lookUp: LookUp<Caller> = { since, owner, caller: settled() };
    this.#lookUps.set(digest, lookUp);
    return lookUp.caller;
  }

  /** The account of a key at its last look-up; null: there was none, or the key was not good. */
  knownAccount(digest: string): CompanyId | null {
    return this.#known.get(digest)?.caller.companyId ?? null;
  }

  /**
   * Forgets an account that has changed: this server acts on it at once. A look-up in progress may
   * have read the old state; only those who wait for it already get that.
   */
  forget(companyId: CompanyId): void {
    for (const [, entry] of this.#known.entries()) {
      if (entry.caller.companyId === companyId) entry.since = null;
    }
    for (const [digest, { owner }] of this.#lookUps) {
      if (owner === null || owner === companyId) this.#lookUps.delete(digest);
    }
  }

  #settle(digest: string, lookUp: LookUp<Caller>, caller: Caller | null): void {
    if (caller === null) {
      this.#known.delete(digest);
      this.#refused.set(digest, lookUp.since);
    } else if (this.#lookUps.get(digest) === lookUp) {
      this.#known.set(digest, { caller, since: lookUp.since });
    } else if (this.#known.get(digest) === undefined) {
      // Forgotten on the way: it is good, and what was read of it may be old.
      this.#known.set(digest, { caller, since: null });
    }
  }
}

/** A clock that was set back must not keep anything alive. */
function isYoung(since: Instant | null | undefined, now: Instant, maxAge: Microseconds): boolean {
  return since != null && since <= now && now < since + maxAge;
}

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
const MAX_REFUSED_ADDRESSES = 10_000;

const REFUSALS: BucketLimits = { rate: REFUSALS_PER_SECOND, burst: MAX_REFUSALS_AT_ONCE };

/**
 * Bounds look-ups of keys that this process has not met: a few run at a time, in turn for each
 * address, which may present so many unknown ones. Known keys are looked up without bounds.
 */
export function boundKeyLookUps(monotonicMs: () => number) {
  const permits = new FairSemaphore(KEY_LOOK_UP_LIMITS, "too many new API keys are being checked");
  const refusals = new TokenBuckets(MAX_REFUSED_ADDRESSES);
  /**
   * Does the look-up of a key that was presented from `address`; null: there is no such key.
   *
   * Throws `too_many_refusals`, `overloaded` and what the look-up throws.
   */
  return async <T>(address: string, lookUp: () => Promise<T | null>): Promise<T | null> => {
    const tokens = refusals.tokens(address, REFUSALS, monotonicMs());
    if (tokens < 1) throw tooManyRefusals(tokens);
    // Taken beforehand, so that those who wait count too.
    refusals.take(address, REFUSALS, monotonicMs(), 1);
    let isRefused = false;
    try {
      const found = await permits.run(address, lookUp);
      isRefused = found === null;
      return found;
    } finally {
      // A key that was not looked up, because too many waited, was not refused either.
      if (!isRefused) refusals.take(address, REFUSALS, monotonicMs(), -1);
    }
  };
}

function tooManyRefusals(tokens: number): Failure {
  const sentence =
    "too many unknown API keys came from this address, or too many new ones at once; those that were used before still work";
  const retryAfterSeconds = Math.ceil((1 - tokens) / REFUSALS_PER_SECOND);
  return new Failure("too_many_refusals", sentence, { retryAfterSeconds });
}
