import { Failure } from "../../domain/failure.ts";
import type { EmbeddingContext, SpaceEmbedder } from "../context.ts";
import { nextEmbedder } from "../embeddings.ts";

/** Throws `no_next_embedding_model` when the database is to stay where it is, or has moved. */
export function requireNextEmbedder(
  context: EmbeddingContext,
  active: SpaceEmbedder,
): SpaceEmbedder {
  const next = nextEmbedder(context, active);
  if (next === null) {
    throw new Failure(
      "no_next_embedding_model",
      "this server is configured for no embedding model that the database is to move to",
    );
  }
  return next;
}
