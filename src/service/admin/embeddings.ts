import type { EmbeddingSpace } from "../../domain/embedding.ts";
import { Failure } from "../../domain/failure.ts";
import { toCompanyId } from "../../domain/ids.ts";
import { zip } from "../../domain/zip.ts";
import {
  countVectors,
  cutOver,
  fillVectors,
  listMemoriesToFill,
  type MemoryPosition,
  removeOldVectors,
} from "../../storage/reembedding.ts";
import { transaction } from "../../storage/transaction.ts";
import type { EmbeddingContext, SpaceEmbedder } from "../context.ts";
import { embedIn, findActiveEmbedder, nextEmbedder, searchTermsOfAll } from "../embeddings.ts";
import { observedCall } from "../model-calls.ts";
import { type PageRequest, readPageToken, tokenBehind, uuidIn } from "../page-token.ts";

/**
 * How far a database is on its way to another embedding model: of the memories of all accounts,
 * superseded ones too, `missing` have no vector of the next one. `next` is null where it is to
 * stay. Throws `model_unavailable` when this server is not configured for the active model.
 */
export async function getEmbeddings(context: EmbeddingContext) {
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

/**
 * Embeds those of one page of memories that have no vector of the next model: one
 * call of the model, outside any transaction. What happens to a memory meanwhile
 * counts; only its text, which never changes, was read before.
 *
 * Throws `no_next_embedding_model` and `model_unavailable`.
 */
export async function fillEmbeddings(
  context: EmbeddingContext,
  { pageSize, pageToken }: PageRequest,
  signal: AbortSignal,
) {
  const after = readPageToken(pageToken, MEMORY_ORDER);
  const next = requireNextEmbedder(context, await findActiveEmbedder(context));
  const memories = await listMemoriesToFill(context.db, next.spaceId, { after, limit: pageSize });
  const toFill = memories.flatMap(({ decision, ...memory }) =>
    decision === null ? [] : { ...memory, decision },
  );
  const nextPageToken = tokenOf(memories, pageSize);
  if (toFill.length === 0) return { embedded: 0, nextPageToken };
  const texts = toFill.map(({ decision }) => decision);
  const call = observedCall(context, null, signal);
  const [vectors, terms] = await Promise.all([
    embedIn(next, texts, "document", call),
    searchTermsOfAll(context, texts, call),
  ]);
  const filled = zip(toFill, zip(vectors, terms)).map(([{ id, companyId }, [vector, terms]]) => {
    return { id, companyId, ...vector, terms };
  });
  let embedded = 0;
  for (const [companyId, vectors] of Map.groupBy(filled, (each) => each.companyId)) {
    const db = context.db.of(companyId);
    embedded += await transaction(db, (trx) => fillVectors(trx, vectors));
  }
  return { embedded, nextPageToken };
}

/**
 * Makes the next model the active one, and returns it: every request that starts after this one
 * ends is answered with it.
 *
 * Throws `embeddings_missing` while a memory has no vector of it, `no_next_embedding_model`, and
 * `storage_unavailable` when writes in flight do not end in time.
 */
export async function cutOverEmbeddings(context: EmbeddingContext): Promise<EmbeddingSpace> {
  const next = requireNextEmbedder(context, await findActiveEmbedder(context));
  const missing = await transaction(context.db, (trx) => cutOver(trx, next.spaceId));
  if (missing > 0) {
    const sentence = `${missing} memories have no vector of the next embedding model yet`;
    throw new Failure("embeddings_missing", sentence);
  }
  return next.embedder.space;
}

/** Removes a page's vectors of former models. Throws `model_unavailable` without the active one. */
export async function removeOldEmbeddings(context: EmbeddingContext, page: PageRequest) {
  const after = readPageToken(page.pageToken, MEMORY_ORDER);
  const next = nextEmbedder(context, await findActiveEmbedder(context));
  const { removed, memories } = await transaction(context.db, (trx) =>
    removeOldVectors(trx, next?.spaceId ?? null, { after, limit: page.pageSize }),
  );
  return { removed, nextPageToken: tokenOf(memories, page.pageSize) };
}

/** Throws `no_next_embedding_model` when the database is to stay where it is, or has moved. */
function requireNextEmbedder(context: EmbeddingContext, active: SpaceEmbedder): SpaceEmbedder {
  const next = nextEmbedder(context, active);
  if (next !== null) return next;
  const sentence =
    "this server is configured for no embedding model that the database is to move to";
  throw new Failure("no_next_embedding_model", sentence);
}

const MEMORY_ORDER = { id: uuidIn, companyId: toCompanyId };

/** A page that is not full was the last one. */
function tokenOf(memories: readonly MemoryPosition[], pageSize: number): string | null {
  return tokenBehind(memories, memories.length === pageSize, MEMORY_ORDER);
}
