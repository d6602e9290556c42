import { type RawBuilder, sql } from "kysely";
import type { RetrievedMemory } from "../domain/memory.ts";
import { wordsWeightIn } from "../domain/ranking.ts";
import { type RankedScope, relevanceIn } from "../domain/relevance.ts";
import { type IndexedVectors, searchOf } from "./account-indexes.ts";
import { asPlaces, keptStatements, type Places } from "./kept-statement.ts";
import { isFiltered, memoriesKnownAt } from "./memory-filters.ts";
import { type MemoryRow, memoryColumns, similarityOf, toMemory } from "./memory-row.ts";
import { bestMemories, type RankedRow, type RankingOptions } from "./memory-search-sql.ts";
import { rarestTerms } from "./rarest-terms.ts";
import type { AccountDb } from "./schema.ts";
import {
  MAX_QUESTION_TERMS,
  placesFor,
  type QuestionValues,
  questionValues,
} from "./search-question.ts";
import {
  currentScope,
  type MemorySearch,
  nearestScope,
  type ScopeValues,
  type SearchScope,
  scopeValues,
  scopeOf as searchScopeOf,
} from "./search-scope.ts";

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
 * filters say, best first, newest first among equals. Exact: the filters apply first, and
 * the answer is what a score of every memory of the scope would give. null: the vector is
 * of a space that is not the active one, or no longer, and so not every memory has a vector
 * in it.
 *
 * With `index`, an index of the tenant's own in that space, a search for what is current is
 * approximate; where it would find fewer memories than there are, it is exact again.
 */
export async function searchMemories(
  db: AccountDb,
  search: MemorySearch,
  index: IndexedVectors | null = null,
): Promise<FoundMemories | null> {
  if (index !== null && !isFiltered(search) && search.sources === null) {
    const found = foundIn(search, await findNearest(db, search, index), true);
    if (found === null || found.memories.length === search.limit) return found;
  }
  const terms =
    search.terms.length > MAX_QUESTION_TERMS ? await rarestTerms(db, search) : search.terms;
  return foundIn(search, await findRows(db, { ...search, terms }), false);
}

function foundIn(
  search: MemorySearch,
  rows: readonly FoundRow[],
  isApproximate: boolean,
): FoundMemories | null {
  if (rows.length === 0) return null;
  const found = rows.filter((row) => row.score !== null);
  const [first] = found;
  if (first === undefined) return { memories: [], scanned: 0, isApproximate };
  const relevanceOf = relevanceIn(search.space, scopeOf(first));
  const memories = found.map((row) => toRetrieved(row, relevanceOf(row.score)));
  return { memories, scanned: first.memories, isApproximate };
}

type FoundRow = MemoryRow & RankedRow;
type SearchValues = ScopeValues & QuestionValues;

/** Of searches of what is current there are few shapes, and they are most of all. */
interface SearchShape extends RankingOptions {
  readonly isOfSources: boolean;
}

const findCurrent = keptStatements<FoundRow, SearchShape, SearchValues>((shape, places) =>
  foundRows(currentScope(places, shape.isOfSources), shape, places, sql`memories`),
);

async function findRows(db: AccountDb, search: MemorySearch): Promise<FoundRow[]> {
  const { companyId } = db;
  const values = { ...scopeValues(companyId, search), ...questionValues(search) };
  const options: RankingOptions = {
    places: placesFor(search.terms.length),
    wordsWeight: wordsWeightIn(search.space),
  };
  if (!isFiltered(search)) {
    return findCurrent(db, { ...options, isOfSources: search.sources !== null }, values);
  }
  const places = asPlaces(values);
  const scope = searchScopeOf(companyId, search, places);
  const memories = memoriesKnownAt(companyId, search.knownAt);
  const { rows } = await foundRows(scope, options, places, memories).execute(db);
  return rows;
}

/** Of a question with very many terms, the first ones: to find the rarest takes a look at all. */
async function findNearest(
  db: AccountDb,
  search: MemorySearch,
  index: IndexedVectors,
): Promise<FoundRow[]> {
  const terms = search.terms.slice(0, MAX_QUESTION_TERMS);
  const values = {
    ...scopeValues(db.companyId, search),
    ...questionValues({ ...search, terms }),
  };
  const options = { places: placesFor(terms.length), wordsWeight: wordsWeightIn(search.space) };
  const places = asPlaces(values);
  const scope = nearestScope(places, searchOf(index, search.vector.vector.length));
  const { rows } = await foundRows(scope, options, places, sql`memories`).execute(db);
  return rows;
}

/** One row without a memory says that the space is active and that nothing was found. */
function foundRows(
  scope: SearchScope,
  options: RankingOptions,
  places: Places<SearchValues>,
  memories: RawBuilder<unknown>,
): RawBuilder<FoundRow> {
  return sql<FoundRow>`
    with ${bestMemories(scope, options, places)}
    select memory.*, ranked.distance, ranked.score, ranked.memories, ranked.mean,
      ranked.deviation, ranked.best_score, ranked.best_distance, ranked.best_covered
    from embedding_spaces as space
    left join ranked on true
    left join lateral (
      select ${memoryColumns} from ${memories} as memories
      where memories.company_id = ${places.companyId} and memories.id = ranked.memory_id
      offset 0
    ) as memory on true
    where space.id = ${places.spaceId} and space.is_active
    order by ranked.score desc, ranked.memory_id desc`;
}

function toRetrieved(row: FoundRow, relevance: number): RetrievedMemory {
  return { memory: toMemory(row), similarity: similarityOf(row.distance), relevance };
}

/** What each row tells of the whole scope. */
function scopeOf(row: RankedRow): RankedScope {
  return {
    memories: row.memories,
    mean: 1 - row.mean,
    deviation: row.deviation ?? 0,
    best: {
      cosine: 1 - row.best_distance,
      covered: row.best_covered,
      score: row.best_score,
    },
  };
}
