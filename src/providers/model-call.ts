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
}

/**
 * Told of every call of a model, once it is over and it succeeded. The local
 * models, which cost nothing, report nothing.
 */
export type ReportUsage = (usage: ModelUsage) => void;
