import type { RetrievedMemory } from "../domain/memory.ts";
import { wordsWeightIn } from "../domain/ranking.ts";
import { relevanceIn } from "../domain/relevance.ts";
import type { IndexedVectors } from "./account-indexes.ts";
import { similarityOf, toMemory } from "./memory-row.ts";
import { rarestTerms } from "./rarest-terms.ts";
import type { AccountDb } from "./schema.ts";
import {
  indexedScope,
  isNarrowed,
  type MemorySearch,
  type SearchScope,
  scopeOf,
} from "./search-scope.ts";
import { MAX_QUESTION_TERMS, searchStatement } from "./search-statement.ts";

/** What a search brought, and what it took. */
export interface FoundMemories {
  /** Best first, newest first among equals. */
  readonly memories: readonly RetrievedMemory[];
  /** How many memories were looked at: all of the scope, unless it is approximate. */
  readonly scanned: number;
  /** Whether better ones may be missing: an index of the account's own found these. */
  readonly isApproximate: boolean;
}

/**
 * The memories that have most to do with a question, of those that are current or as its
 * filters say, best first, newest first among equals. Every memory of the scope is looked at.
 * null: the vector is of a space that is not the active one, or no longer, and so not every
 * memory has a vector in it.
 *
 * With `indexes`, which tenants have of their own in that space, a search for what is current
 * is approximate. Where it would find fewer memories than there are, every memory is looked at.
 */
export async function searchMemories(
  db: AccountDb,
  search: MemorySearch,
  indexes: readonly IndexedVectors[] = [],
): Promise<FoundMemories | null> {
  if (indexes.length > 0 && !isNarrowed(search) && search.sources === null) {
    const found = await searchIn(db, indexedScope(db.companyId, search, indexes), search);
    if (found === null || found.memories.length === search.limit) return found;
  }
  return searchIn(db, scopeOf(db.companyId, search), search);
}

async function searchIn(
  db: AccountDb,
  scope: SearchScope,
  { vector: { vector }, terms, space, limit }: MemorySearch,
): Promise<FoundMemories | null> {
  const known = terms.length > MAX_QUESTION_TERMS ? await rarestTerms(db, scope, terms) : terms;
  const question = { vector, terms: known, wordsWeight: wordsWeightIn(space), limit };
  const { rows } = await searchStatement(scope, question).execute(db);
  if (rows.length === 0) return null;
  // One row without a memory says that the scope is empty.
  const found = rows.filter((row) => row.score !== null);
  const [first] = found;
  const isApproximate = scope.isSampled;
  if (first === undefined) return { memories: [], scanned: 0, isApproximate };
  const relevanceOf = relevanceIn(space, {
    memories: first.memories,
    best: { score: first.best_score, covered: first.best_coverage },
    highestScore: first.score,
  });
  const memories = found.map((row) => ({
    memory: toMemory(row),
    similarity: similarityOf(row.distance),
    relevance: relevanceOf(row.score),
  }));
  return { memories, scanned: first.memories, isApproximate };
}
