import type { EmbeddingSpace } from "../../domain/embedding.ts";
import { countVectors } from "../../storage/reembedding.ts";
import type { EmbeddingContext } from "../context.ts";
import { findActiveEmbedder, nextEmbedder } from "../embeddings.ts";

/** How far a database is on its way to another embedding model. */
export interface Embeddings {
  readonly active: EmbeddingSpace;
  /** null: it is to stay where it is. */
  readonly next: EmbeddingSpace | null;
  /** Of all accounts, superseded ones too. */
  readonly memories: number;
  /** Those without a vector of the next model. */
  readonly missing: number;
}

/** Throws `model_unavailable` when this server is not configured for the active model. */
export async function getEmbeddings(context: EmbeddingContext): Promise<Embeddings> {
  const active = await findActiveEmbedder(context);
  const next = nextEmbedder(context, active);
  const counted = await countVectors(context.db, (next ?? active).spaceId);
  return {
    active: active.embedder.space,
    next: next?.embedder.space ?? null,
    memories: counted.memories,
    missing: next === null ? 0 : counted.missing,
  };
}
