import { Failure } from "../../domain/failure.ts";

/** Why a request to a model provider had no usable answer. */
export type UpstreamProblem =
  /** No connection, or it broke. `code` is the system's, e.g. `ECONNREFUSED`. */
  | { readonly kind: "unreachable"; readonly code: string | null }
  /** The provider says that it failed: 5xx, or 408. */
  | { readonly kind: "failed"; readonly status: number }
  /** 429. `waitMs` is what the provider asks for; null: it does not say. */
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

interface Treatment {
  /** Another try may succeed. */
  readonly isTransient: boolean;
  /** The circuit breaker counts it as an outage of the provider. */
  readonly isOutage: boolean;
  /** The caller's wait where the provider asks for none. */
  readonly retryAfterSeconds: number;
}

const TREATMENT: { readonly [kind in UpstreamProblem["kind"]]: Treatment } = {
  unreachable: { isTransient: true, isOutage: true, retryAfterSeconds: 5 },
  failed: { isTransient: true, isOutage: true, retryAfterSeconds: 5 },
  // A quota belongs to a key; the provider is up.
  limited: { isTransient: true, isOutage: false, retryAfterSeconds: 5 },
  refused: { isTransient: false, isOutage: false, retryAfterSeconds: 60 },
  timed_out: { isTransient: false, isOutage: true, retryAfterSeconds: 5 },
  garbled: { isTransient: true, isOutage: false, retryAfterSeconds: 5 },
  unusable: { isTransient: false, isOutage: false, retryAfterSeconds: 5 },
  resting: { isTransient: false, isOutage: false, retryAfterSeconds: 10 },
};

const MAX_RETRY_AFTER_SECONDS = 60 * 60;

/**
 * A failed request to a model provider. It never holds words of a library or of the provider:
 * they may quote the key, the URL or the user's text.
 */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly problem: UpstreamProblem;

  constructor(problem: UpstreamProblem) {
    super(Object.values(problem).join(" "));
    this.problem = problem;
  }

  get isTransient(): boolean {
    return TREATMENT[this.problem.kind].isTransient;
  }

  get isOutage(): boolean {
    return TREATMENT[this.problem.kind].isOutage;
  }

  /** The wait that the provider asked for; 0: none. */
  get waitMs(): number {
    return this.problem.kind === "limited" ? (this.problem.waitMs ?? 0) : 0;
  }
}

/** The error for a readable but useless answer. `what` describes it in our own words. */
export function unusable(what: string): UpstreamError {
  return new UpstreamError({ kind: "unusable", what });
}

/** The failure for the caller: the provider, its problem, and when to try again (D28). */
export function modelUnavailable(provider: string, error: UpstreamError): Failure {
  const { problem } = error;
  const askedSeconds = Math.ceil(error.waitMs / 1_000);
  const retryAfterSeconds =
    Math.min(askedSeconds, MAX_RETRY_AFTER_SECONDS) || TREATMENT[problem.kind].retryAfterSeconds;
  return new Failure(
    "model_unavailable",
    `the model provider "${provider}" ${whatItDid(problem)}`,
    {
      retryAfterSeconds,
      cause: error,
    },
  );
}

function whatItDid(problem: UpstreamProblem): string {
  switch (problem.kind) {
    case "unreachable":
      return "could not be reached";
    case "failed":
      return `failed with HTTP status ${problem.status}`;
    case "limited":
      return "limits how often it is called (HTTP status 429)";
    case "refused":
      return `refused the request with HTTP status ${problem.status}`;
    case "timed_out":
      return "did not answer in time";
    case "garbled":
    case "unusable":
      return "gave no usable answer";
    case "resting":
      return "failed too often in a row and is being given a rest";
  }
}
