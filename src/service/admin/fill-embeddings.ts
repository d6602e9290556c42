import { fillVectors, listMemoriesToFill } from "../../storage/reembedding.ts";
import { transaction } from "../../storage/transaction.ts";
import type { EmbeddingContext } from "../context.ts";
import { embedIn, findActiveEmbedder } from "../embeddings.ts";
import { startUsageLog } from "../model-calls.ts";
import { type MemoryPageRequest, nextPageToken, readPageToken } from "./memory-page.ts";
import { requireNextEmbedder } from "./require-next-embedder.ts";

/** What came of one page. */
export interface FilledPage {
  readonly embedded: number;
  /** null on the last page. */
  readonly nextPageToken: string | null;
}

/**
 * Embeds those of one page of memories that have no vector of the next model: one
 * call of the model, outside any transaction. What happens to a memory meanwhile
 * counts; only its text, which never changes, was read before.
 *
 * Throws `no_next_embedding_model` and `model_unavailable`.
 */
export async function fillEmbeddings(
  context: EmbeddingContext,
  page: MemoryPageRequest,
  signal: AbortSignal,
): Promise<FilledPage> {
  const after = readPageToken(page.pageToken);
  const next = requireNextEmbedder(context, await findActiveEmbedder(context));
  const memories = await listMemoriesToFill(context.db, next.spaceId, {
    after,
    limit: page.pageSize,
  });
  const toFill = memories.filter(({ hasVector }) => !hasVector);
  if (toFill.length === 0) {
    return { embedded: 0, nextPageToken: nextPageToken(memories, page.pageSize) };
  }
  const { report } = startUsageLog(context);
  const texts = toFill.map(({ decision }) => decision);
  const vectors = await embedIn(next, texts, "document", signal, report);
  const filled = toFill.flatMap(({ id, companyId }, index) => {
    const vector = vectors[index];
    return vector === undefined ? [] : { id, companyId, ...vector };
  });
  const embedded = await transaction(context.db, (trx) => fillVectors(trx, filled));
  return { embedded, nextPageToken: nextPageToken(memories, page.pageSize) };
}
