import type { EmbeddingSpace, Vector } from "../domain/embedding.ts";
import type { ModelCall } from "./model-call.ts";

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
    call: ModelCall,
  ): Promise<Vector[]>;
}
