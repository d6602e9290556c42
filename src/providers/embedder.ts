import type { EmbeddingSpace, Vector } from "../domain/embedding.ts";
import type { ModelCall } from "./model-call.ts";

/** Turns texts into vectors of unit length. */
export interface Embedder {
  readonly space: EmbeddingSpace;
  /**
   * Returns one vector for each text, in order. Every vector must be finite, of unit length
   * and never all zero. `purpose`: the texts are stored (`document`) or searched with
   * (`query`).
   *
   * Throws a `Failure` with the reason `model_unavailable` when the model does not answer, or
   * answers nonsense.
   */
  embed(
    texts: readonly string[],
    purpose: "document" | "query",
    call: ModelCall,
  ): Promise<Vector[]>;
}
