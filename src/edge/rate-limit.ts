import type { NodeResponse } from "@agent-memory/transcoding/node-http";
import { type BucketLimits, TokenBuckets } from "../concurrency/token-buckets.ts";
import { type Account, effectiveLimits } from "../domain/account.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { KnownCaller } from "../service/context.ts";

/** The headers that say how much a key may still ask for (draft-ietf-httpapi-ratelimit-headers-11). */
export const RATE_LIMIT_HEADERS = ["ratelimit-policy", "ratelimit"] as const;

/** The name of the policy: a key has one. */
const POLICY = '"default"';
/** The largest integer that a structured header may hold (RFC 9651, section 3.3.1). */
const MAX_INTEGER = 999_999_999_999_999;

/** Keys that were active last; a key beyond them starts with a full bucket again. */
export const MAX_RATE_LIMIT_BUCKETS = 20_000;
/** The body and the rows that are covered by the one token that every request costs. */
export const LIGHT_BODY_BYTES = 64 * 1024;
export const LIGHT_ROWS = 250;
/** Heavy requests put off the next one by so much at most. */
export const MAX_RATE_DEBT_SECONDS = 10;

/** How many requests each API key may make (section 8, D30). */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Where a key stands. */
export interface RateStanding {
  readonly limits: BucketLimits;
  /** The tokens in its bucket. Less than 0: debt. */
  readonly tokens: number;
}

/** The outcome of taking a token from a bucket that servers share. */
export interface Taken {
  /** false: it held none, and nothing was taken. */
  readonly isAdmitted: boolean;
  /** The tokens left. Less than 0: debt. */
  readonly tokens: number;
}

/** The buckets of many servers in one place. Nothing here fails: a place that cannot say says null. */
export interface SharedBuckets {
  /** Takes a token where there is one. Resolves soon; null: the place did not answer. */
  admit(owner: string, limits: BucketLimits, maxDebt: number): Promise<Taken | null>;
  /** Takes tokens, also such as are not there, as far as the debt. */
  charge(owner: string, limits: BucketLimits, maxDebt: number, tokens: number): void;
}

/** The further cost of a body: a token for each 64 KiB that it begins behind the first. */
export function costOfBody(bytes: number): number {
  return costBeyond(bytes, LIGHT_BODY_BYTES);
}

/** The further cost of an answer: a token for each 250 rows that it begins behind the first. */
export function costOfRows(rows: number): number {
  return costBeyond(rows, LIGHT_ROWS);
}

function costBeyond(size: number, light: number): number {
  return Math.max(0, Math.ceil(size / light) - 1);
}

/**
 * A token bucket for each API key: it holds `burst` requests, is full at first and refills by
 * `rate` a second. A limit that the operator changes applies from the next request whose caller
 * carries it. `monotonicMs` is a clock that only goes forward.
 *
 * Without `shared` it counts in this process alone: behind a load balancer, n servers admit up to n
 * times the rate. With it, this process counts what it admits all the same, and goes by that while
 * the shared place does not answer.
 *
 * `unlimitedId`: the account that has no limit until the operator gives it one; null: none.
 */
export function createRateLimiter(
  monotonicMs: () => number,
  unlimitedId: CompanyId | null = null,
  shared: SharedBuckets | null = null,
) {
  const buckets = new TokenBuckets(MAX_RATE_LIMIT_BUCKETS);

  function admitHere(owner: string, limits: BucketLimits): Taken {
    const atMs = monotonicMs();
    const tokens = buckets.tokens(owner, limits, atMs);
    if (tokens < 1) return { isAdmitted: false, tokens };
    buckets.take(owner, limits, atMs, 1);
    return { isAdmitted: true, tokens: tokens - 1 };
  }

  async function admitShared(place: SharedBuckets, owner: string, limits: BucketLimits) {
    const taken = await place.admit(owner, limits, maxDebtOf(limits));
    if (taken?.isAdmitted) buckets.take(owner, limits, monotonicMs(), 1);
    return taken ?? admitHere(owner, limits);
  }

  return {
    /**
     * Takes one request from the key's bucket. `tell` learns what is left, also where it refuses,
     * and nothing without a limit. Throws `rate_limited`; rejects with it where the bucket is
     * shared.
     */
    admit(
      { apiKeyId, account }: KnownCaller,
      tell?: (standing: RateStanding) => void,
    ): void | Promise<void> {
      if (isUnlimited(account, unlimitedId)) return;
      const limits = effectiveLimits(account);
      const settle = ({ isAdmitted, tokens }: Taken) => {
        tell?.({ limits, tokens });
        if (!isAdmitted) throw rateLimited({ limits, tokens });
      };
      if (shared === null) settle(admitHere(apiKeyId, limits));
      else return admitShared(shared, apiKeyId, limits).then(settle);
    },

    /** Takes what the request cost besides. It goes on; later ones may wait longer for it. */
    charge({ apiKeyId, account }: KnownCaller, tokens: number): void {
      if (tokens === 0 || isUnlimited(account, unlimitedId)) return;
      const limits = effectiveLimits(account);
      const maxDebt = maxDebtOf(limits);
      buckets.take(apiKeyId, limits, monotonicMs(), tokens, maxDebt);
      shared?.charge(apiKeyId, limits, maxDebt, tokens);
    },
  };
}

export function isUnlimited({ companyId, rate, burst }: Account, unlimitedId: CompanyId | null) {
  return companyId === unlimitedId && rate === null && burst === null;
}

/** Whole seconds until the bucket holds one more request than it does now; at least 1. */
export function secondsToNext({ limits, tokens }: RateStanding): number {
  const next = Math.max(0, Math.floor(tokens)) + 1;
  return Math.max(1, Math.ceil((next - tokens) / limits.rate));
}

/** How many tokens a bucket may owe. */
export function maxDebtOf({ rate }: BucketLimits): number {
  return rate * MAX_RATE_DEBT_SECONDS;
}

function rateLimited(standing: RateStanding): Failure {
  const { rate, burst } = standing.limits;
  const most = `${rate} requests a second, and ${burst} at once after a pause`;
  const sentence = `this API key may make ${most}; a large body or a long list counts as several`;
  return new Failure("rate_limited", sentence, { retryAfterSeconds: secondsToNext(standing) });
}

export type RequestRate = ReturnType<typeof createRequestRate>;

/** Charges one request to the bucket of its key, and says in the answer what the bucket holds. */
export function createRequestRate(
  limiter: RateLimiter,
  caller: KnownCaller,
  response: NodeResponse,
) {
  /** null: the key has no limit. */
  let standing: RateStanding | null = null;
  let rowCount = 0;
  const charged = { body: 0, rows: 0 };

  /** The headers can say only what is known before the answer begins. */
  function tell(now: RateStanding): void {
    standing = now;
    if (response.headersSent) return;
    response.setHeader("ratelimit-policy", policyOf(now));
    response.setHeader("ratelimit", serviceLimitOf(now));
  }

  function charge(what: "body" | "rows", cost: number): void {
    const tokens = cost - charged[what];
    if (tokens <= 0) return;
    charged[what] = cost;
    limiter.charge(caller, tokens);
    if (standing === null) return;
    const { limits, tokens: before } = standing;
    tell({ limits, tokens: Math.max(-maxDebtOf(limits), before - tokens) });
  }

  return {
    /** Takes the token that every request costs. Throws `rate_limited`, or rejects with it. */
    admit: () => limiter.admit(caller, tell),
    /** The body has at least so many bytes; what was charged for fewer counts. */
    body: (bytes: number) => charge("body", costOfBody(bytes)),
    /** The answer has so many more rows. */
    rows(count: number): void {
      rowCount += count;
      charge("rows", costOfRows(rowCount));
    },
  };
}

/** The burst, in the time that it takes to refill; if the rate is higher, what a second allows. */
export function policyOf({ limits: { rate, burst } }: RateStanding): string {
  const quota = Math.max(burst, Math.floor(rate));
  const windowSeconds = Math.max(1, Math.ceil(burst / rate));
  return `${POLICY};q=${integer(quota)};w=${integer(windowSeconds)}`;
}

/** The requests that are left, and the seconds until there is another. */
export function serviceLimitOf(standing: RateStanding): string {
  const available = Math.max(0, Math.floor(standing.tokens));
  return `${POLICY};r=${integer(available)};t=${integer(secondsToNext(standing))}`;
}

function integer(value: number): number {
  return Math.min(value, MAX_INTEGER);
}
