/** One request to a model, as it is accounted for. */
export interface ModelUsage {
  readonly operation: "extract" | "embed" | "answer" | "classify";
  readonly provider: string;
  readonly model: string;
  /** null: the provider does not say. */
  readonly inputTokens: number | null;
  /** null: the provider does not say, or there is nothing to say, as with vectors. */
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
 * Told of every call of a model, once it is over and it succeeded. The local
 * models, which cost nothing, report nothing.
 */
export type ReportUsage = (usage: ModelUsage) => void;

/** A number of tokens as a provider states it; null where it is missing or nonsense. */
export function tokenCount(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
