import { epochMs } from "./platform.ts";
import type { ErrorReason } from "./reasons.ts";

/** How long a call may take, and how often it is sent. */
export interface RetryOptions {
  /**
   * Milliseconds that a call may take with its retries, unless it brings a `timeoutMs` of its
   * own; 120,000 by default, 0: any time. Streams have only a deadline of their own.
   */
  readonly timeoutMs?: number | undefined;
  /** How often a call is sent at most where it is safe to repeat; 4 by default, 1: no retries. */
  readonly maxAttempts?: number | undefined;
  /**
   * Milliseconds that are waited for at most where the service asks to wait; where it asks for
   * more, the error is given to the caller. 30,000 by default.
   */
  readonly maxRetryWaitMs?: number | undefined;
}

/** `maxAttempts`: 1: no retries; `maxRetryWaitMs`: a longer wait that is asked for ends the call. */
export type RetryPolicy = Readonly<Record<"maxAttempts" | "maxRetryWaitMs", number>>;

/** By default a call has four attempts within two minutes. */
export function policyOf(options: RetryOptions) {
  const { timeoutMs = 120_000, maxAttempts = 4, maxRetryWaitMs = 30_000 } = options;
  return { timeoutMs, maxAttempts, maxRetryWaitMs };
}

export const IDEMPOTENCY_KEY = "idempotency-key";

export interface FailedCall {
  readonly reason: ErrorReason | null;
  readonly retryAfterMs: number | null;
  /** The cause may pass: the service could not be reached, is not ready, or refuses for a while. */
  readonly isPassing: boolean;
}

/** Nothing was done, whatever the call is: the gate refused it. */
const REFUSED_AT_THE_GATE: readonly (ErrorReason | null)[] = [
  "rate_limited",
  "too_many_in_flight",
  "too_many_refusals",
];

const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 5_000;

/**
 * How long to wait before a call is sent again that failed `attempt` times; null: it must
 * not be. The wait is the one that the service asks for, plus a random part of a backoff that
 * doubles, so that clients that failed together do not return together. `isRepeatable`: a call
 * that was sent twice has done no more than once.
 */
export function retryWaitMs(
  { reason, retryAfterMs, isPassing }: FailedCall,
  isRepeatable: boolean,
  attempt: number,
  { maxAttempts, maxRetryWaitMs }: RetryPolicy,
  random: () => number,
): number | null {
  const asked = retryAfterMs ?? 0;
  if (attempt >= maxAttempts || asked > maxRetryWaitMs) return null;
  if (!REFUSED_AT_THE_GATE.includes(reason) && !(isRepeatable && isPassing)) return null;
  return asked + random() * Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
}

/** A call that no answer came to. */
export const LOST: FailedCall = { reason: null, retryAfterMs: null, isPassing: true };

/** How a call failed, by its answer over REST. */
export async function failureOf(answer: Response): Promise<FailedCall> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  const { reason = null } = Object(body) as { reason?: FailedCall["reason"] };
  // Without a word of the service, what stands before it does not reach it.
  const isPassing =
    reason === null
      ? [429, 502, 503, 504].includes(answer.status)
      : answer.status === 503 ||
        reason === "idempotency_key_in_use" ||
        REFUSED_AT_THE_GATE.includes(reason);
  return { reason, retryAfterMs: retryAfterMsOf(answer.headers), isPassing };
}

/** The wait that an answer asks for, in seconds or as a date (RFC 9110, 10.2.3); null: none. */
export function retryAfterMsOf(headers: Headers): number | null {
  const header = headers.get("retry-after") ?? "";
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - epochMs();
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
