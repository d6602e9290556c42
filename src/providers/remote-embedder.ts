import type { EmbeddingSpace } from "../domain/embedding.ts";
import type { Embedder } from "./embedder.ts";
import { embeddingBatches } from "./text-batches.ts";
import type { Upstream } from "./upstream/upstream.ts";
import { unitVectors } from "./vectors.ts";

/** What a vendor's library made of one batch. Untrusted. */
export interface EmbeddedBatch {
  /** In the order of the texts. */
  readonly vectors: readonly unknown[];
  /** null: the provider does not say. */
  readonly inputTokens: number | null;
}

export type EmbedBatch = (
  texts: readonly string[],
  purpose: "document" | "query",
) => Promise<EmbeddedBatch>;

/** An embedder over the network: batches one after the other, each one call that is reported. */
export function createRemoteEmbedder(
  space: EmbeddingSpace,
  upstream: Upstream,
  embedBatch: EmbedBatch,
): Embedder {
  const { provider, model, dimensions } = space;
  return {
    space,
    async embed(texts, purpose, signal, report) {
      const embedded: number[][] = [];
      for (const batch of embeddingBatches(texts)) {
        const { value, attempts, durationMs } = await upstream.call(async () => {
          const { vectors, inputTokens } = await embedBatch(batch, purpose);
          return {
            vectors: unitVectors(vectors, { count: batch.length, dimensions }),
            inputTokens,
          };
        }, signal);
        embedded.push(...value.vectors);
        report?.({
          operation: "embed",
          provider,
          model,
          inputTokens: value.inputTokens,
          outputTokens: null,
          durationMs,
          attempts,
        });
      }
      return embedded;
    },
  };
}
