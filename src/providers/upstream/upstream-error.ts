import { Failure } from "../../domain/failure.ts";

/** Why a request to a model provider had no usable answer. */
export type UpstreamProblem =
  /** No connection, or it broke. `code` is the system's, e.g. `ECONNREFUSED`. */
  | { readonly kind: "unreachable"; readonly code: string | null }
  /** 5xx, or 408. `waitMs` is what the provider asks for; null: it does not say. */
  | { readonly kind: "failed"; readonly status: number; readonly waitMs: number | null }
  /** 429. */
  | { readonly kind: "limited"; readonly waitMs: number | null }
  /** Another 4xx, e.g. for a bad key; a redirect too, which is never followed. */
  | { readonly kind: "refused"; readonly status: number }
  | { readonly kind: "timed_out" }
  /** An unreadable body: broken JSON, or another page. */
  | { readonly kind: "garbled" }
  /** A readable but useless answer. `what` is in our own words. */
  | { readonly kind: "unusable"; readonly what: string }
  /** The circuit breaker is open. */
  | { readonly kind: "resting" };

type Kind = UpstreamProblem["kind"];

/** Another try may succeed. */
const TRANSIENT: readonly Kind[] = ["unreachable", "failed", "limited", "garbled"];
/** The circuit breaker counts these as outages of the provider. A quota belongs to a key. */
const OUTAGES: readonly Kind[] = ["unreachable", "failed", "timed_out"];

/** Each completes the sentence "The model provider …", before the HTTP status if there is one. */
const DID: Readonly<Record<Kind, string>> = {
  unreachable: "could not be reached",
  failed: "failed with HTTP status",
  limited: "limits how often it is called (HTTP status 429)",
  refused: "refused the request with HTTP status",
  timed_out: "did not answer in time",
  garbled: "gave no usable answer",
  unusable: "gave no usable answer",
  resting: "failed too often in a row and is being given a rest",
};

/** The caller's wait where the provider asks for none. */
const RETRY_AFTER_SECONDS = 5;
const LONGER_WAITS: Readonly<Partial<Record<Kind, number>>> = { refused: 60, resting: 10 };
const MAX_RETRY_AFTER_SECONDS = 60 * 60;

/** It holds no words of the provider or a library, which may quote the key, the URL or the text. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly problem: UpstreamProblem;

  constructor(problem: UpstreamProblem) {
    super(Object.values(problem).join(" "));
    this.problem = problem;
  }

  get isTransient(): boolean {
    return TRANSIENT.includes(this.problem.kind);
  }

  get isOutage(): boolean {
    return OUTAGES.includes(this.problem.kind);
  }

  /** The wait that the provider asked for; 0: none. */
  get waitMs(): number {
    return "waitMs" in this.problem ? (this.problem.waitMs ?? 0) : 0;
  }
}

/** The error for a readable but useless answer. `what` describes it in our own words. */
export function unusable(what: string): UpstreamError {
  return new UpstreamError({ kind: "unusable", what });
}

/** The failure for the caller: the provider, its problem, and when to try again (D28). */
export function modelUnavailable(provider: string, error: UpstreamError): Failure {
  const { problem, waitMs } = error;
  const status = "status" in problem ? ` ${problem.status}` : "";
  const usual = LONGER_WAITS[problem.kind] ?? RETRY_AFTER_SECONDS;
  const retryAfterSeconds = Math.min(Math.ceil(waitMs / 1_000), MAX_RETRY_AFTER_SECONDS) || usual;
  const said = `the model provider "${provider}" ${DID[problem.kind]}${status}`;
  return new Failure("model_unavailable", said, { retryAfterSeconds, cause: error });
}
