import type { EmbeddingSpace } from "../../domain/embedding.ts";
import { Failure } from "../../domain/failure.ts";
import { cutOver } from "../../storage/reembedding.ts";
import { transaction } from "../../storage/transaction.ts";
import type { EmbeddingContext } from "../context.ts";
import { findActiveEmbedder } from "../embeddings.ts";
import { requireNextEmbedder } from "./require-next-embedder.ts";

/**
 * Makes the next model the active one, and returns it: every request that starts
 * after this one ends is answered with it.
 *
 * Throws `embeddings_missing` while a memory has no vector of it,
 * `no_next_embedding_model`, and `storage_unavailable` when writes in flight do
 * not end in time.
 */
export async function cutOverEmbeddings(context: EmbeddingContext): Promise<EmbeddingSpace> {
  const next = requireNextEmbedder(context, await findActiveEmbedder(context));
  const missing = await transaction(context.db, (trx) => cutOver(trx, next.spaceId));
  if (missing > 0) {
    throw new Failure(
      "embeddings_missing",
      `${missing} memories have no vector of the next embedding model yet`,
    );
  }
  return next.embedder.space;
}
