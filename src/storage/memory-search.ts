import { sql } from "kysely";
import type { RetrievedMemory } from "../domain/memory.ts";
import { type RankedScope, relevanceIn } from "../domain/relevance.ts";
import { memoriesKnownAt } from "./memory-filters.ts";
import { type MemoryRow, memoryColumns, similarityOf, toMemory } from "./memory-row.ts";
import { bestMemories, MAX_QUESTION_TERMS, type RankedRow } from "./memory-search-sql.ts";
import { rarestTerms } from "./rarest-terms.ts";
import type { AccountDb } from "./schema.ts";
import type { MemorySearch } from "./search-scope.ts";

/** What a search brought, and what it took. */
export interface FoundMemories {
  /** Best first, newest first among equals. */
  readonly memories: readonly RetrievedMemory[];
  /** How many memories were looked at: all of the scope. */
  readonly scanned: number;
}

/**
 * The memories that have most to do with a question, of those that are current or as its
 * filters say, best first, newest first among equals. Exact: the filters apply first, and
 * the answer is what a score of every memory of the scope would give. null: the vector is
 * of a space that is not the active one, or no longer, and so not every memory has a vector
 * in it.
 */
export async function searchMemories(
  db: AccountDb,
  search: MemorySearch,
): Promise<FoundMemories | null> {
  const terms =
    search.terms.length > MAX_QUESTION_TERMS ? await rarestTerms(db, search) : search.terms;
  // One row without a memory says that the space is active and that nothing was found.
  const { rows } = await sql<FoundRow>`
    with ${bestMemories(db.companyId, { ...search, terms })}
    select memory.*, ranked.distance, ranked.score, ranked.memories, ranked.mean,
      ranked.deviation, ranked.covered, ranked.best_score, ranked.best_distance,
      ranked.best_covered
    from embedding_spaces as space
    left join ranked on true
    left join lateral (
      select ${memoryColumns} from ${memoriesKnownAt(db.companyId, search.knownAt)} as memories
      where memories.company_id = ${db.companyId} and memories.id = ranked.memory_id
      offset 0
    ) as memory on true
    where space.id = ${search.vector.spaceId} and space.is_active
    order by ranked.score desc, ranked.memory_id desc`.execute(db);
  if (rows.length === 0) return null;
  const found = rows.filter((row) => row.score !== null);
  const [first] = found;
  if (first === undefined) return { memories: [], scanned: 0 };
  const relevanceOf = relevanceIn(search.space, scopeOf(first));
  const memories = found.map((row) => toRetrieved(row, relevanceOf(row.score)));
  return { memories, scanned: first.memories };
}

type FoundRow = MemoryRow & RankedRow;

function toRetrieved(row: FoundRow, relevance: number): RetrievedMemory {
  return { memory: toMemory(row), similarity: similarityOf(row.distance), relevance };
}

/** What each row tells of the whole scope. */
function scopeOf(row: RankedRow): RankedScope {
  return {
    memories: row.memories,
    deviation: row.deviation ?? 0,
    average: { cosine: 1 - row.mean, covered: row.covered },
    best: {
      cosine: 1 - row.best_distance,
      covered: row.best_covered,
      score: row.best_score,
    },
  };
}
