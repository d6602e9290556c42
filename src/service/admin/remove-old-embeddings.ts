import { removeOldVectors } from "../../storage/reembedding.ts";
import { transaction } from "../../storage/transaction.ts";
import type { EmbeddingContext } from "../context.ts";
import { findActiveEmbedder, nextEmbedder } from "../embeddings.ts";
import { type MemoryPageRequest, nextPageToken, readPageToken } from "./memory-page.ts";

/** What came of one page. */
export interface RemovedPage {
  readonly removed: number;
  /** null on the last page. */
  readonly nextPageToken: string | null;
}

/**
 * Removes the vectors of one page of memories that are neither of the active nor
 * of the next model. Throws `model_unavailable` when this server is not configured
 * for the active one.
 */
export async function removeOldEmbeddings(
  context: EmbeddingContext,
  page: MemoryPageRequest,
): Promise<RemovedPage> {
  const after = readPageToken(page.pageToken);
  const next = nextEmbedder(context, await findActiveEmbedder(context));
  const { removed, memories } = await transaction(context.db, (trx) =>
    removeOldVectors(trx, next?.spaceId ?? null, { after, limit: page.pageSize }),
  );
  return { removed, nextPageToken: nextPageToken(memories, page.pageSize) };
}
