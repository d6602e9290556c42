/** What one call of a model took. */
export interface ModelUsage {
  readonly operation: "extract" | "embed" | "answer" | "classify";
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
  /** Why facts of the answer were not believed, one entry a fact; of extractions only. */
  readonly rejections?: readonly FactRejection[];
}

/**
 * Why a fact that a model stated is not believed: it has no usable text
 * (`unreadable`), no user said what it quotes (`quote`), it says what its message
 * does not (`dates`, `numbers`, `names`, `words`), it is addressed to a model
 * (`instruction`), or there were too many before it (`limit`).
 */
export type FactRejection =
  | "unreadable"
  | "quote"
  | "dates"
  | "numbers"
  | "names"
  | "words"
  | "instruction"
  | "limit";

/**
 * Is called after every call of a model that succeeded. The local models cost nothing
 * and report nothing.
 */
export type ReportUsage = (usage: ModelUsage) => void;

/** A number of tokens as a provider states it. null: it states none, or nonsense. */
export function tokenCount(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
