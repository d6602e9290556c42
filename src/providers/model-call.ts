import type { Owner } from "../concurrency/fair-semaphore.ts";

/** One call of a model: its account, its deadline and its observers. */
export interface ModelCall {
  /** The account whose share of the models is used; null: the service itself. */
  readonly owner: Owner;
  /** An abort ends the call at once, with the signal's reason. */
  readonly signal: AbortSignal;
  /** Milliseconds that the request has left; undefined: no limit. */
  readonly remainingMs?: () => number;
  readonly report?: ReportUsage;
  /** Observes each call of a model that the work makes. */
  readonly watch?: WatchModel;
}

export type CalledModel = Pick<ModelUsage, "operation" | "provider" | "model">;

export type ModelTokens = Pick<ModelUsage, "inputTokens" | "outputTokens">;

/** One call of a model. It reports its tokens through `tell`. */
export type ModelWork<T> = (tell: (tokens: ModelTokens) => void) => Promise<T>;

/** Runs one call of a model, observes its duration and outcome, and rethrows its errors. */
export type WatchModel = <T>(
  called: CalledModel,
  work: ModelWork<T>,
  signal: AbortSignal,
) => Promise<T>;

/** Runs one call of a model as a part of `call`, through its `watch` if it has one. */
export function watched<T>({ watch, signal }: ModelCall, called: CalledModel, work: ModelWork<T>) {
  return watch === undefined ? work(() => {}) : watch(called, work, signal);
}

/** What an answer took. */
export interface CallEffort {
  /** Includes retries and waits. */
  readonly durationMs: number;
  /** Number of requests; 1: the first succeeded. */
  readonly attempts: number;
}

/** A signal for a part of the work: it aborts after a share of the remaining time. */
export function withinShare({ signal, remainingMs }: ModelCall, share: number): AbortSignal {
  if (remainingMs === undefined) return signal;
  return AbortSignal.any([signal, AbortSignal.timeout(Math.floor(share * remainingMs()))]);
}

export interface ModelUsage extends CallEffort {
  readonly operation: "extract" | "verify" | "embed" | "answer" | "classify";
  readonly provider: string;
  readonly model: string;
  /** null: the provider does not say. */
  readonly inputTokens: number | null;
  /** null: the provider does not say, or the call made vectors. */
  readonly outputTokens: number | null;
  /** Outcomes of a model's stated facts. Only the first call of an extraction has them. */
  readonly facts?: {
    /** All of them, with retractions and unreadable entries. */
    readonly stated: number;
    /** Those that further calls were about. */
    readonly asked: number;
    /** Why facts were rejected, one entry for each. */
    readonly rejections: readonly FactRejection[];
  };
}

/**
 * Why its message does not state a fact: it says what the message does not (`dates`,
 * `numbers`, `names`, `words`), or quotes words that no user wrote (`quote`); the message
 * denies it (`negation`); it wishes, plans, supposes or asks it, or tells of the past
 * (`modality`), or says it of someone else (`subject`); it is of a text that was given to
 * work on, of a role that is played, or speaks to a model (`instruction`).
 */
export type Doubt =
  | "quote"
  | "dates"
  | "numbers"
  | "names"
  | "words"
  | "negation"
  | "modality"
  | "subject"
  | "instruction";

/**
 * Why a fact that a model stated is not believed: it has no usable text (`unreadable`), its
 * message does not state it (a `Doubt`), the model was asked about it and said nothing of it
 * (`unconfirmed`), or there were too many before it (`limit`).
 */
export type FactRejection = "unreadable" | Doubt | "unconfirmed" | "limit";

/** Receives the cost of every answered call, useful or not. Local models report nothing. */
export type ReportUsage = (usage: ModelUsage) => void;

/** More than any model reads or writes in one call. Larger counts would break stored sums. */
export const MAX_CALL_TOKENS = 100_000_000;

/** A number of tokens as a provider states it; null: it states none, or nonsense. */
export function tokenCount(value: unknown): number | null {
  const isCount = typeof value === "number" && Number.isInteger(value) && value >= 0;
  return isCount && value <= MAX_CALL_TOKENS ? value : null;
}

/** null: one of them is not known. */
export function sumOf(counts: readonly (number | null)[]): number | null {
  return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}
