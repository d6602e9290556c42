import type { ReportUsage } from "./model-call.ts";

/** What a vector came from. Vectors of different spaces can't be compared. */
export interface EmbeddingSpace {
  readonly provider: string;
  readonly model: string;
  /** Length of every vector. */
  readonly dimensions: number;
}

/** Turns texts into vectors of unit length. */
export interface Embedder {
  readonly space: EmbeddingSpace;
  /**
   * One vector for each text, in order. Must be of unit length, finite and never
   * all zero, whatever the text. `purpose` says whether the texts are stored
   * (`document`) or searched with (`query`).
   *
   * Throws a `Failure` with the reason `model_unavailable` when the model does
   * not answer or answers nonsense.
   */
  embed(
    texts: readonly string[],
    purpose: "document" | "query",
    signal: AbortSignal,
    report?: ReportUsage,
  ): Promise<number[][]>;
}
