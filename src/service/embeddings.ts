import type { SearchTerms } from "../domain/search-terms.ts";
import { zip } from "../domain/zip.ts";
import type { Embedder } from "../providers/embedder.ts";
import type { ModelCall } from "../providers/model-call.ts";
import {
  claimEmbeddingSpaces,
  embeddingModelReplaced,
  findActiveSpace,
  type SpaceVector,
} from "../storage/embedding-spaces.ts";
import type { AccountDb, Executor } from "../storage/schema.ts";
import type { EmbeddingContext, SpaceEmbedder } from "./context.ts";
import { searchTermsOfAll } from "./search-terms.ts";

/** The next model must not make writes much slower: reembed makes up for what it misses. */
const NEXT_MODEL_TIMEOUT_MS = 5_000;

/**
 * The embedders of a server, with the spaces that the database has for them.
 * Throws an Error that says what to do when its vectors are of neither.
 */
export async function claimEmbedders(
  db: Executor,
  present: Embedder,
  next: Embedder | null,
): Promise<readonly SpaceEmbedder[]> {
  const others = next === null ? [] : [next];
  const spaceIds = await claimEmbeddingSpaces(db, [
    present.space,
    ...others.map(({ space }) => space),
  ]);
  return zip([present, ...others], spaceIds).map(([embedder, spaceId]) => ({ spaceId, embedder }));
}

/**
 * The embedder of the space that memories are retrieved in. With one embedder
 * nothing is looked up: each statement that searches or stores checks the space.
 *
 * Throws `model_unavailable` when this server is not configured for the space.
 */
export async function activeEmbedder(
  context: EmbeddingContext,
  db: AccountDb,
): Promise<SpaceEmbedder> {
  const [only, ...others] = context.embedders;
  return only !== undefined && others.length === 0 ? only : findActiveEmbedder(context, db);
}

/** The same, always looked up. */
export async function findActiveEmbedder(
  context: EmbeddingContext,
  db: AccountDb | Executor = context.db,
): Promise<SpaceEmbedder> {
  const { id } = await findActiveSpace(db);
  const active = context.embedders.find(({ spaceId }) => spaceId === id);
  if (active === undefined) throw embeddingModelReplaced();
  return active;
}

/**
 * The embedder of the space that the database is to move to; null: it stays
 * where it is, or has moved. The last one is the next; where that is the active
 * one, the others are of the past.
 */
export function nextEmbedder(
  { embedders }: EmbeddingContext,
  active: SpaceEmbedder,
): SpaceEmbedder | null {
  const last = embedders.at(-1);
  return last === undefined || last.spaceId === active.spaceId ? null : last;
}

/** The vectors and terms by which a stored text is found. */
export interface EmbeddedDocument {
  /** One in the active space and, while the database is to move, one in the next, unless its model fails. */
  readonly vectors: readonly [SpaceVector, ...SpaceVector[]];
  readonly terms: SearchTerms;
}

/**
 * What each text is found by, in order. Throws `model_unavailable` when the active space's
 * model does not answer.
 */
export async function embedDocuments(
  context: EmbeddingContext,
  db: AccountDb,
  texts: readonly string[],
  call: ModelCall,
): Promise<EmbeddedDocument[]> {
  if (texts.length === 0) return [];
  const active = await activeEmbedder(context, db);
  const next = nextEmbedder(context, active);
  const [activeVectors, nextVectors, terms] = await Promise.all([
    embedIn(active, texts, "document", call),
    next === null ? texts.map(() => []) : embedInNext(context, next, texts, call),
    searchTermsOfAll(context, texts, call),
  ]);
  return zip(zip(activeVectors, nextVectors), terms).map(([[vector, next], terms]) => {
    return { vectors: [vector, ...next], terms };
  });
}

/** One vector for each text, in order. Throws `model_unavailable`. */
export async function embedIn(
  { spaceId, embedder }: SpaceEmbedder,
  texts: readonly string[],
  purpose: "document" | "query",
  call: ModelCall,
): Promise<SpaceVector[]> {
  const vectors = await embedder.embed(texts, purpose, call);
  return zip(texts, vectors).map(([, vector]) => ({ spaceId, vector }));
}

/** For each text a list of one vector, or of none where the next model fails. */
async function embedInNext(
  context: EmbeddingContext,
  next: SpaceEmbedder,
  texts: readonly string[],
  call: ModelCall,
): Promise<SpaceVector[][]> {
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(NEXT_MODEL_TIMEOUT_MS)]);
  try {
    const vectors = await embedIn(next, texts, "document", { ...call, signal });
    return vectors.map((vector) => [vector]);
  } catch (err) {
    call.signal.throwIfAborted();
    context.log.warn({ err }, "the next embedding model failed; reembed will fill the gap");
    return texts.map(() => []);
  }
}
