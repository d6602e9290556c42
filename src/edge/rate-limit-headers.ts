import type { NodeResponse } from "@agent-memory/transcoding/node-http";
import { maxDebtOf, type RateStanding, secondsToNext } from "./rate-limit.ts";

/** The headers of an answer that say where its key stands (draft-ietf-httpapi-ratelimit-headers-11). */
export const RATE_LIMIT_HEADERS = ["ratelimit-policy", "ratelimit"] as const;

/** What the policy is called: a key has one. */
const POLICY = '"default"';
/** The largest integer that a structured header may hold (RFC 9651, section 3.3.1). */
const MAX_INTEGER = 999_999_999_999_999;

/** Says in an answer, whatever it will be, what its key may still ask for. */
export class RateLimitHeaders {
  readonly #response: NodeResponse;
  /** null: the key has no limit. */
  #standing: RateStanding | null = null;

  constructor(response: NodeResponse) {
    this.#response = response;
  }

  tell(standing: RateStanding): void {
    this.#standing = standing;
    if (this.#response.headersSent) return;
    this.#response.setHeader("ratelimit-policy", policyOf(standing));
    this.#response.setHeader("ratelimit", serviceLimitOf(standing));
  }

  /** What the request cost besides, as far as that is known before its answer begins. */
  tellCharged(tokens: number): void {
    if (this.#standing === null) return;
    const { limits, tokens: before } = this.#standing;
    this.tell({ limits, tokens: Math.max(-maxDebtOf(limits), before - tokens) });
  }
}

/** The burst, in the time that it takes to refill; of a rate above it, what a second allows. */
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
