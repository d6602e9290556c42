import { type RawBuilder, sql } from "kysely";
import { SparseVector } from "pgvector";
import { maxInnerProduct } from "pgvector/kysely";
import type { Vector } from "../domain/embedding.ts";
import { MAX_PAGE_TEXT_BYTES } from "../domain/limits.ts";
import type { RetrievedMemory } from "../domain/memory.ts";
import {
  CONVERSATION_WEIGHT,
  HALVING_LENGTH,
  LEAST_DEVIATION,
  LONGEST_LENGTH,
  NEXT_BUT_ONE_WEIGHT,
  NEXT_WEIGHT,
  relevanceIn,
  wordsWeightIn,
} from "../domain/relevance.ts";
import { TERM_NUMBERS } from "../domain/search-terms.ts";
import type { IndexedVectors } from "./account-indexes.ts";
import { vectorParameter } from "./column-values.ts";
import {
  bytesSoFar,
  fitsPage,
  type MemoryRow,
  memoryColumns,
  similarityOf,
  textBytes,
  toMemory,
} from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";
import {
  indexedScope,
  isNarrowed,
  type MemorySearch,
  type SearchScope,
  scopeOf,
} from "./search-scope.ts";

interface Question {
  readonly vector: Vector;
  /** Numbers of its terms, each once; at most `MAX_QUESTION_TERMS`. */
  readonly terms: readonly number[];
  /** What words count for in a score, 0 to 1; the vectors count for the rest. */
  readonly wordsWeight: number;
  readonly limit: number;
}

/** A found memory, and numbers of the whole scope, which are the same in every row. */
interface FoundRow extends MemoryRow {
  /** Of its vector from the question's: 1 less their cosine. */
  readonly distance: number;
  readonly score: number;
  readonly memories: number;
  /** At most as many as were wanted, with those beyond the page. */
  readonly found: number;
  /** Of the memory whose own score is the highest. */
  readonly best_score: number;
  /** The share that this memory has of the weight of the question's terms. */
  readonly best_coverage: number;
}

/** A product of vectors is a single precision number: it holds this many bits exactly. */
const TERMS_A_PRODUCT = 24;
/** Two products and a length of 9 bits are one number of 64 bits. */
const MAX_QUESTION_TERMS = 2 * TERMS_A_PRODUCT;
const LENGTH_BITS = Math.ceil(Math.log2(LONGEST_LENGTH + 1));
/** Statements are made for these numbers of terms only, because connections prepare each of them. */
const TERM_SLOTS = [4, 8, 12, 16, 24, MAX_QUESTION_TERMS];
/**
 * Whose conversations are read for neighbours: as many of the best, and more where many are wanted.
 * With 50 the first ten had no other evidence for 1,644 questions of LoCoMo and BEAM.
 */
const BEST_MEMORIES = 20;
const BEST_A_WANTED = 2;

/**
 * The statement that finds the memories of a scope that have most to do with a question. Its
 * tables, in order:
 *
 * - `scan` reads each memory once: its distance and its kind. Vectors are of unit length: their
 *   product is the cosine, in a third of the operations. The kind is a number: the memory's
 *   length, and a bit for each term of the question, 1 where it has the term.
 * - `kinds` counts the memories of each kind, and has the nearest one's distance. There are
 *   hundreds of kinds, also in a large scope, so the tables behind this one cost little.
 * - `scope`, `idf`, `weighed` and `words` are the statistics of exactly this scope, and what
 *   the words of a kind weigh.
 * - `by_words` is the part of a score that the words of a kind make.
 * - `best` are the memories with the highest scores. A score is that part and the part of the
 *   distance, both in deviations from the mean of the scope. The nearest memory of a kind has the
 *   highest score there, so that the best are in `best_kinds`, whose nearest ones are the best.
 * - `smoothed` has the best memories and all memories of their conversations. It gives each a
 *   share of the scores of those beside it, and of the best one there. One window serves all:
 *   another is another pass. A memory of no conversation is one by itself.
 *   The answer is the best of these, as many as are a page by their texts (D37). Those that
 *   are left out are not fetched from where long texts are.
 *
 * The statement returns one row without a memory where the scope is empty, and no row where
 * the space of the vectors is not the active one.
 */
export function searchStatement(scope: SearchScope, question: Question): RawBuilder<FoundRow> {
  const { terms, wordsWeight, limit } = question;
  const slots = TERM_SLOTS.find((most) => terms.length <= most) ?? MAX_QUESTION_TERMS;
  const eachTerm = (separator: string, text: (i: number) => string) =>
    sql.raw(Array.from({ length: slots }, (_, i) => text(i)).join(separator));
  const best = Math.max(BEST_MEMORIES, BEST_A_WANTED * limit);
  const byScore = sql`order by score desc, memory_id desc`;
  const isSampled = scope.isSampled ? sql`, is_sampled` : sql``;
  const sampled = scope.isSampled ? sql` filter (where is_sampled)` : sql``;

  return sql<FoundRow>`with ${sql.join([...scope.tables, sql``], sql`,\n`)}scan as materialized (
  select memory_id, ${scope.session} as session_id${isSampled},
    1 + (embedding <#> ${vectorParameter(question.vector)}::vector) as distance,
    ${sql.join(kindParts(terms.slice(0, slots), slots), sql` | `)} as kind
  ${scope.vectors}
),
kinds as materialized (
  select kind, kind & ${sql.lit(2 ** LENGTH_BITS - 1)} as length, count(*)${sampled}::float8 as memories,
    sum(distance)${sampled} as distances, sum(distance * distance)${sampled} as squares,
    min(distance) as least_distance
  from scan
  group by kind
),
scope as materialized (
  select sum(memories) as memories,
    sum(distances) / sum(memories) as mean_distance,
    ${deviation("sum(distances)", "sum(squares)", "sum(memories)")} as distance_deviation,
    ${eachTerm(",\n    ", (i) => `sum(memories * ${hasTerm(i)}) as having${i}`)}
  from kinds
),
idf as materialized (
  select ${eachTerm(",\n    ", (i) => `case when ${i} < term_count then ln(1 + (memories - having${i} + .5) / (having${i} + .5)) else 0 end as idf${i}`)}
  from scope cross join (select ${terms.length}::int as term_count) as question
),
weighed as materialized (
  select kind, least_distance, memories, coalesce(matched / nullif(asked, 0), 0) as coverage,
    matched / (1 + length / ${sql.lit(HALVING_LENGTH)}::float8) as weight
  from (
    select kind, length, least_distance, memories,
      ${eachTerm("\n      + ", (i) => `idf${i} * ${hasTerm(i)}`)} as matched,
      ${eachTerm(" + ", (i) => `idf${i}`)} as asked
    from kinds cross join idf
    offset 0
  ) as kinds
),
words as materialized (
  select sum(memories * weight) / sum(memories) as mean_weight,
    ${deviation("sum(memories * weight)", "sum(memories * weight * weight)", "sum(memories)")} as weight_deviation
  from weighed
),
by_words as materialized (
  select kind, least_distance, coverage, mean_distance,
    ${sql.lit(1 - wordsWeight)} / distance_deviation as per_distance,
    coalesce(${sql.lit(wordsWeight)} * (weight - mean_weight) / weight_deviation, 0) as score
  from weighed cross join words cross join scope
),
best_kinds as (
  select kind from by_words
  order by ${scoreAt("least_distance")} desc
  fetch first ${best} rows with ties
),
best as materialized (
  select * from ${scored(sql`kind in (select kind from best_kinds)`)}
  ${byScore}
  limit ${best}
),
smoothed as (
  select memory_id, distance, score + ${sql.lit(CONVERSATION_WEIGHT)} * greatest(0, score) as score
  from best
  where session_id is null
  union all
  select memory_id, distance, score
    + ${sql.lit(NEXT_WEIGHT)} * (greatest(0, lag(score) over line) + greatest(0, lead(score) over line))
    + ${sql.lit(NEXT_BUT_ONE_WEIGHT)} * (greatest(0, lag(score, 2) over line) + greatest(0, lead(score, 2) over line))
    + ${sql.lit(CONVERSATION_WEIGHT)} * greatest(0, max(score) over line)
  from ${scored(sql`session_id in (select session_id from best where session_id is not null)`)}
  window line as (partition by session_id order by memory_id
    rows between unbounded preceding and unbounded following)
),
ranked as (
  select * from smoothed
  ${byScore}
  limit ${limit}
)
select found.*, scope.memories, first.score as best_score, first.coverage as best_coverage
from embedding_spaces as space
left join (
  (
    select memory.*, distance, score, count(*) over ()::int as found,
      ${bytesSoFar(sql`text_bytes`, byScore)} as text_bytes_so_far
    from ranked cross join lateral (
      select ${memoryColumns}, ${textBytes} as text_bytes from ${scope.memories} as memories
      where memories.company_id = ${scope.companyId} and memories.id = ranked.memory_id
      offset 0
    ) as memory
  ) as found
  cross join scope
  cross join (select * from best ${byScore} limit 1) as first
) on ${fitsPage({ maxTextBytes: MAX_PAGE_TEXT_BYTES })}
where space.id = ${scope.spaceId} and space.is_active
order by found.score desc, found.id desc`;
}

/**
 * The rows of `scan` of which a condition is true, with their scores. A planner that expects a
 * single row would compare each row with each other, if it saw through `is true`, the full join
 * or `offset 0`. The join has a row without a memory for each kind that is in none.
 */
function scored(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select memory_id, session_id, distance, coverage,
      ${scoreAt("distance")} as score
    from (select * from scan where (${condition}) is true) as chosen
      full join by_words using (kind)
    offset 0
  ) as scored
  where memory_id is not null`;
}

/** Of a memory of a kind, at a distance from the question. */
function scoreAt(distance: "distance" | "least_distance"): RawBuilder<number> {
  return sql.raw(`by_words.score + coalesce((mean_distance - ${distance}) * per_distance, 0)`);
}

/** The parts of a kind, which are disjoint bits: the length, and products that tell the terms. */
function kindParts(terms: readonly number[], slots: number): RawBuilder<unknown>[] {
  const parts: RawBuilder<unknown>[] = [sql`least(length, ${sql.lit(LONGEST_LENGTH)})::int8`];
  for (let start = 0; start < slots; start += TERMS_A_PRODUCT) {
    const product = maxInnerProduct("terms", termBits(terms.slice(start, start + TERMS_A_PRODUCT)));
    parts.push(sql`((-(${product}))::int8 << ${sql.lit(LENGTH_BITS + start)})`);
  }
  return parts;
}

/** A vector with another power of two for each term. */
function termBits(terms: readonly number[]): SparseVector {
  return new SparseVector(new Map(terms.map((term, bit) => [term, 2 ** bit])), TERM_NUMBERS);
}

/** Whether a kind has the term of this number: 1 or 0. */
function hasTerm(term: number): string {
  return `((kind >> ${LENGTH_BITS + term}) & 1)`;
}

/** Of values, from their sums. null: they are all alike, but for what adding up leaves. */
function deviation(sum: string, squares: string, count: string): RawBuilder<number> {
  const variance = `(${squares} / ${count} - (${sum} / ${count}) ^ 2)`;
  return sql.raw(`case when ${variance} > ${LEAST_DEVIATION ** 2} then sqrt(${variance}) end`);
}

/**
 * Of a question with more terms than a search takes, those that tell most: the ones that
 * the fewest memories of its scope have, in the order of the question. A term that none
 * has finds nothing and is left out. This is one more scan, for long questions alone.
 */
async function rarestTerms(db: AccountDb, scope: SearchScope, terms: readonly number[]) {
  const parts = Array.from({ length: Math.ceil(terms.length / TERMS_A_PRODUCT) }, (_, i) =>
    terms.slice(i * TERMS_A_PRODUCT, (i + 1) * TERMS_A_PRODUCT),
  );
  const products = parts.map(
    (part, i) =>
      sql`(-(${maxInnerProduct("terms", termBits(part))}))::int as ${sql.raw(`product${i}`)}`,
  );
  // Connections prepare each statement: it counts all bits of a product, also where the last
  // one has fewer terms.
  const counts = parts.flatMap((_, i) =>
    Array.from({ length: TERMS_A_PRODUCT }, (_, bit) =>
      sql.raw(`coalesce(sum((product${i} >> ${bit}) & 1), 0)::int`),
    ),
  );
  const { rows } = await sql<{ counts: number[] }>`
    with ${sql.join([...scope.tables, sql``], sql`, `)}scan as materialized (
      select ${sql.join(products)} ${scope.vectors}
    )
    select array[${sql.join(counts)}] as counts from scan`.execute(db);
  const memoriesWith = rows[0]?.counts ?? [];
  const rarest = [...terms.keys()]
    .filter((position) => (memoriesWith[position] ?? 0) > 0)
    .sort((a, b) => (memoriesWith[a] ?? 0) - (memoriesWith[b] ?? 0))
    .slice(0, MAX_QUESTION_TERMS);
  const chosen = new Set(rarest);
  return terms.filter((_, position) => chosen.has(position));
}

export interface FoundMemories {
  /** Best first, newest first among equals; as many as are a page by their texts (D37). */
  readonly memories: readonly RetrievedMemory[];
  /** At most as many as were wanted, with those beyond the page. */
  readonly count: number;
  /** How many memories were looked at: all of the scope, unless it is approximate. */
  readonly scanned: number;
  /** Whether better ones may be missing: an index of the account's own found these. */
  readonly isApproximate: boolean;
}

/**
 * The memories that have most to do with a question, of those that are current or as its
 * filters say, best first, newest first among equals. Every memory of the scope is looked at.
 * null: the vector's space is not the active one, so that not every memory has one in it.
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
    if (found === null || found.count >= (search.enough ?? search.limit)) return found;
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
  if (first === undefined) return { memories: [], count: 0, scanned: 0, isApproximate };
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
  return { memories, count: first.found, scanned: first.memories, isApproximate };
}
