import type { Owner } from "../concurrency/fair-semaphore.ts";

/** For whom a model is called, and until when. */
export interface ModelCall {
  /** The account that has its fair share of the models; null: the service itself. */
  readonly owner: Owner;
  /** Aborting it ends the call at once, with the signal's reason. */
  readonly signal: AbortSignal;
  /** Milliseconds that the request has left; undefined: as many as it takes. */
  readonly remainingMs?: () => number;
  readonly report?: ReportUsage;
  /** Sees each call of a model that it takes. */
  readonly watch?: WatchModel;
}

/** Which model is called, and what for. */
export type CalledModel = Pick<ModelUsage, "operation" | "provider" | "model">;

/** What a call cost, as far as the provider says. */
export type ModelTokens = Pick<ModelUsage, "inputTokens" | "outputTokens">;

/** One call of a model. It tells what it cost once that is known. */
export type ModelWork<T> = (tell: (tokens: ModelTokens) => void) => Promise<T>;

/**
 * Does `work`, which is one call of a model, and sees how long it takes and how it ends.
 * What `work` throws it throws too.
 */
export type WatchModel = <T>(
  called: CalledModel,
  work: ModelWork<T>,
  signal: AbortSignal,
) => Promise<T>;

/** Does one call of a model as a part of `call`, watched where that is wanted. */
export function watched<T>(
  { watch, signal }: ModelCall,
  called: CalledModel,
  work: ModelWork<T>,
): Promise<T> {
  return watch === undefined ? work(() => {}) : watch(called, work, signal);
}

/** The signal for a part of a call's work, which may take a share of the time that is left. */
export function withinShare({ signal, remainingMs }: ModelCall, share: number): AbortSignal {
  if (remainingMs === undefined) return signal;
  return AbortSignal.any([signal, AbortSignal.timeout(Math.floor(share * remainingMs()))]);
}

/** What one call of a model took. */
export interface ModelUsage {
  readonly operation: "extract" | "verify" | "embed" | "answer" | "classify";
  readonly provider: string;
  readonly model: string;
  /** null: the provider does not say. */
  readonly inputTokens: number | null;
  /** null: the provider does not say, or the call was for vectors. */
  readonly outputTokens: number | null;
  /** With retries and waits. */
  readonly durationMs: number;
  /** 1: the first try succeeded. */
  readonly attempts: number;
  /** What became of the facts that a model stated; of the first call of an extraction only. */
  readonly facts?: StatedFactCounts;
}

/** What became of the facts that a model stated of one conversation. */
export interface StatedFactCounts {
  /** All, retractions and what could not be read too. */
  readonly stated: number;
  /** Those that further calls were about. */
  readonly asked: number;
  /** Why facts were not believed, one entry a fact. */
  readonly rejections: readonly FactRejection[];
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

/**
 * Is called after every call of a model that was answered, also where the answer is of no
 * use. The local models cost nothing and report nothing.
 */
export type ReportUsage = (usage: ModelUsage) => void;

/** More than any model reads or writes in one call, so that sums stay numbers that can be stored. */
export const MAX_CALL_TOKENS = 100_000_000;

/** A number of tokens as a provider states it. null: it states none, or nonsense. */
export function tokenCount(value: unknown): number | null {
  const isCount = typeof value === "number" && Number.isInteger(value) && value >= 0;
  return isCount && value <= MAX_CALL_TOKENS ? value : null;
}
