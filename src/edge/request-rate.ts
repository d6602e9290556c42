import type { NodeResponse } from "@agent-memory/transcoding/node-http";
import type { KnownCaller } from "../service/context.ts";
import {
  costOfBody,
  costOfRows,
  maxDebtOf,
  type RateLimiter,
  type RateStanding,
  secondsToNext,
} from "./rate-limit.ts";

/** The headers that say how much a key may still ask for (draft-ietf-httpapi-ratelimit-headers-11). */
export const RATE_LIMIT_HEADERS = ["ratelimit-policy", "ratelimit"] as const;

/** The name of the policy: a key has one. */
const POLICY = '"default"';
/** The largest integer that a structured header may hold (RFC 9651, section 3.3.1). */
const MAX_INTEGER = 999_999_999_999_999;

/** Charges one request to the bucket of its key, and says in the answer what the bucket holds. */
export class RequestRate {
  readonly #limiter: RateLimiter;
  readonly #caller: KnownCaller;
  readonly #response: NodeResponse;
  /** null: the key has no limit. */
  #standing: RateStanding | null = null;
  #chargedForBody = 0;
  #rows = 0;
  #chargedForRows = 0;

  constructor(limiter: RateLimiter, caller: KnownCaller, response: NodeResponse) {
    this.#limiter = limiter;
    this.#caller = caller;
    this.#response = response;
  }

  /** Takes the token that every request costs. Throws `rate_limited`, or rejects with it. */
  admit(): void | Promise<void> {
    return this.#limiter.admit(this.#caller, (standing) => this.#tell(standing));
  }

  /** The body has at least so many bytes; what was charged for fewer counts. */
  body(bytes: number): void {
    const more = costOfBody(bytes) - this.#chargedForBody;
    if (more <= 0) return;
    this.#chargedForBody += more;
    this.#charge(more);
  }

  /** The answer has so many more rows. */
  rows(count: number): void {
    this.#rows += count;
    const more = costOfRows(this.#rows) - this.#chargedForRows;
    this.#chargedForRows += more;
    this.#charge(more);
  }

  #charge(tokens: number): void {
    if (tokens === 0) return;
    this.#limiter.charge(this.#caller, tokens);
    if (this.#standing === null) return;
    const { limits, tokens: before } = this.#standing;
    this.#tell({ limits, tokens: Math.max(-maxDebtOf(limits), before - tokens) });
  }

  /** The headers can say only what is known before the answer begins. */
  #tell(standing: RateStanding): void {
    this.#standing = standing;
    if (this.#response.headersSent) return;
    this.#response.setHeader("ratelimit-policy", policyOf(standing));
    this.#response.setHeader("ratelimit", serviceLimitOf(standing));
  }
}

/** The burst, in the time that it takes to refill; if the rate is higher, what a second allows. */
export function policyOf({ limits: { rate, burst } }: RateStanding): string {
  const quota = Math.max(burst, Math.floor(rate));
  const windowSeconds = Math.max(1, Math.ceil(burst / rate));
  return `${POLICY};q=${integer(quota)};w=${integer(windowSeconds)}`;
}

/** What may be asked at once, and for how many seconds no more than that. */
export function serviceLimitOf(standing: RateStanding): string {
  const available = Math.max(0, Math.floor(standing.tokens));
  return `${POLICY};r=${integer(available)};t=${integer(secondsToNext(standing))}`;
}

function integer(value: number): number {
  return Math.min(value, MAX_INTEGER);
}
