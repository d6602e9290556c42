import { hash32 } from "@agent-memory/text";
import {
  type CategoryNearness,
  EXAMPLE_STATEMENTS,
  NEARNESS_IN_DOUBT,
  nearnessTo,
} from "../domain/category-gate.ts";
import { type SearchTerms, TERM_NUMBERS } from "../domain/search-terms.ts";
import { zip } from "../domain/zip.ts";
import type { Embedder } from "../providers/embedder.ts";
import type { ModelCall } from "../providers/model-call.ts";
import { searchTermsOf, termsIn } from "../providers/text/search-terms.ts";
import {
  claimEmbeddingSpaces,
  embeddingModelReplaced,
  findActiveSpace,
  type SpaceVector,
} from "../storage/embedding-spaces.ts";
import type { AccountDb, Executor } from "../storage/schema.ts";
import type { CategoryExamples, EmbeddingContext, SpaceEmbedder } from "./context.ts";
import { watchModels } from "./model-calls.ts";

/** The next model must not make writes much slower: reembed makes up for what it misses. */
const NEXT_MODEL_TIMEOUT_MS = 5_000;

/** The embedders with their spaces. Throws an Error, which says what to do, where they fit none. */
export async function claimEmbedders(db: Executor, present: Embedder, next: Embedder | null) {
  const others = next === null ? [] : [next];
  const spaces = [present.space, ...others.map(({ space }) => space)] as const;
  const spaceIds = await claimEmbeddingSpaces(db, spaces);
  return zip([present, ...others], spaceIds).map(([embedder, spaceId]) => ({ spaceId, embedder }));
}

/**
 * The embedder of the space that memories are retrieved in. With one embedder
 * nothing is looked up: each statement that searches or stores checks the space.
 *
 * Throws `model_unavailable` when this server is not configured for the space.
 */
export async function activeEmbedder(context: EmbeddingContext, db: AccountDb) {
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
 * The embedder of the space that the database is to move to; null: it stays where it is, or has
 * moved. The last embedder is the next one.
 */
export function nextEmbedder({ embedders }: EmbeddingContext, active: SpaceEmbedder) {
  const last = embedders.at(-1);
  return last === undefined || last.spaceId === active.spaceId ? null : last;
}

/** The vectors and terms by which a stored text is found. */
export interface EmbeddedDocument {
  /** One in the active space and, while the database is to move, one in the next, unless its model fails. */
  readonly vectors: readonly [SpaceVector, ...SpaceVector[]];
  readonly terms: SearchTerms;
}

/** What each text is found by, in order. Throws `model_unavailable` without the active model. */
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

/** Characters that are read word by word in one turn of the event loop: a few milliseconds. */
export const CHARACTERS_A_TURN = 16_000;

/** The terms of each text, in turns of the event loop. Rejects when the client has left. */
export async function searchTermsOfAll(
  { loopTurns }: EmbeddingContext,
  texts: readonly string[],
  { owner, signal }: ModelCall,
): Promise<SearchTerms[]> {
  const shareOf = (text: string) => text.length / CHARACTERS_A_TURN;
  return loopTurns.map(owner, texts, shareOf, searchTermsOf, signal);
}

/** A longer question than most mails; of its terms the rarest are searched for. */
const MAX_WEIGHED_TERMS = 240;

/** The distinct terms of a question, 240 at most: of a longer one the first and the last ones. */
export function questionTermsOf(question: string): number[] {
  const numbers = new Set<number>();
  for (const term of termsIn(question)) numbers.add(hash32(term) % TERM_NUMBERS);
  const all = [...numbers];
  if (all.length <= MAX_WEIGHED_TERMS) return all;
  return [...all.slice(0, MAX_WEIGHED_TERMS / 2), ...all.slice(-MAX_WEIGHED_TERMS / 2)];
}

/** A write must not wait for examples much longer than for its own vectors. */
const EXAMPLES_TIMEOUT_MS = 5_000;

/** Embeds the examples of categories once for each space, when they are first asked for. */
export function embeddedExamples(
  context: Pick<EmbeddingContext, "log" | "metrics" | "tracer">,
): CategoryExamples {
  const bySpace = new Map<number, Promise<CategoryNearness>>();

  async function embed(embedder: Embedder): Promise<CategoryNearness> {
    const texts = EXAMPLE_STATEMENTS.map(({ text }) => text);
    const vectors = await embedder.embed(texts, "document", {
      // The examples are the same for all accounts.
      owner: null,
      signal: AbortSignal.timeout(EXAMPLES_TIMEOUT_MS),
      report: (usage) => context.metrics.modelCalled(usage),
      watch: watchModels(context),
    });
    return nearnessTo(EXAMPLE_STATEMENTS, vectors);
  }

  function nearnessIn({ spaceId, embedder }: SpaceEmbedder): Promise<CategoryNearness> {
    const known = bySpace.get(spaceId);
    if (known !== undefined) return known;
    const embedding = embed(embedder).catch((err: unknown) => {
      bySpace.delete(spaceId);
      context.log.warn({ err }, "no examples of categories: all is held back from the classifier");
      return NEARNESS_IN_DOUBT;
    });
    bySpace.set(spaceId, embedding);
    return embedding;
  }

  return {
    nearnessIn,
    prepare([only, ...others]) {
      if (only !== undefined && others.length === 0) void nearnessIn(only);
    },
  };
}
