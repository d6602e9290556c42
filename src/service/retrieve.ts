import { isOfThePast, looksBack } from "@agent-memory/text";
import type { Instant } from "../domain/instant.ts";
import {
  type MemoryFilters,
  momentOf,
  type RetrievedMemory,
  withinPage,
} from "../domain/memory.ts";
import type { ModelCall } from "../providers/model-call.ts";
import { embeddingModelReplaced } from "../storage/embedding-spaces.ts";
import { type FoundMemories, searchMemories } from "../storage/memory-search.ts";
import type { MemorySearch } from "../storage/search-scope.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { activeEmbedder, embedIn, questionTermsOf } from "./embeddings.ts";

export interface MemoryQuestion extends MemoryFilters {
  readonly question: string;
  readonly limit: number;
  /** At least one, each once; null is the default tenant. */
  readonly tenantIds: readonly (string | null)[];
  /** null: every source. */
  readonly sources: readonly string[] | null;
  /** Less relevant memories are left out. */
  readonly minRelevance: number;
}

export interface Retrieval {
  /** Most relevant first, as many as are a page by their texts (D37). */
  readonly retrieved: readonly RetrievedMemory[];
  /** When it is answered: now, or as it would have been at the moment that was asked for. */
  readonly moment: Instant;
  /** The past that the question names in words, without `as_of`: it is asked of that (D12c); undefined: none. */
  readonly past: Instant | "ever" | undefined;
  /** Whether more relevant ones may be missing: an index of the tenant's own found these. */
  readonly isApproximate: boolean;
}

/**
 * The most relevant memories. The database can move to another embedding model
 * between the embedding and the search; then the question is embedded again, as
 * often as there are models to move to.
 */
export async function retrieve(
  context: MemoryContext,
  caller: Caller,
  { question, minRelevance, ...wanted }: MemoryQuestion,
  call: ModelCall,
): Promise<Retrieval> {
  for (const _ of context.embedders) {
    const active = await activeEmbedder(context, caller.db);
    const [vector] = await embedIn(active, [question], "query", call);
    if (vector === undefined) break;
    const moment = momentOf(wanted, context.now());
    const past = await pastAskedOf(question, wanted, moment);
    const found = await search(context, caller, {
      ...wanted,
      alsoHeld: past,
      knownAt: wanted.knownAt === null ? null : moment,
      now: moment,
      vector,
      terms: questionTermsOf(question),
      space: active.embedder.space,
    });
    if (found === null) continue;
    const { memories, isApproximate } = found;
    const relevant = memories.filter(({ relevance }) => relevance >= minRelevance);
    const retrieved = withinPage(relevant, ({ memory }) => [memory]);
    return { retrieved, moment, past, isApproximate };
  }
  throw embeddingModelReplaced();
}

/** What held then may be superseded; what is told of then later is found as current. */
async function pastAskedOf(
  question: string,
  { asOf }: Pick<MemoryFilters, "asOf">,
  moment: Instant,
): Promise<Retrieval["past"]> {
  if (asOf !== null) return undefined;
  const named = isOfThePast(question) ? await momentNamedIn(question, moment) : null;
  return named ?? (looksBack(question) ? "ever" : undefined);
}

/** The reader of dates is loaded where it is first used: it takes time and memory. */
async function momentNamedIn(question: string, now: Instant): Promise<Instant | null> {
  const { questionTime } = await import("@agent-memory/text/dates");
  return questionTime(question, now)?.moment ?? null;
}

/** null: the space is not the active one any more. */
async function search(
  { metrics, tracer, accountIndexes }: MemoryContext,
  caller: Caller,
  wanted: MemorySearch,
): Promise<FoundMemories | null> {
  const { tenantIds, vector } = wanted;
  const indexes = tenantIds
    .map((tenantId) => accountIndexes.find(caller.companyId, tenantId, vector.spaceId))
    .filter((index) => index !== null);
  return tracer.span("retrieve", {}, async (span) => {
    const ended = metrics.retrievalBegan();
    const found = await searchMemories(caller.db, wanted, indexes);
    if (found === null) return null;
    const rows = { scanned: found.scanned, returned: found.memories.length };
    ended(rows);
    span.set({
      "agent_memory.memories.scanned": rows.scanned,
      "agent_memory.memories.returned": rows.returned,
    });
    return found;
  });
}
