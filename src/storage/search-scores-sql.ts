import { type RawBuilder, sql } from "kysely";
import {
  BM25_B,
  BM25_K1,
  LEAST_DEVIATION,
  NEXT_BUT_ONE_WEIGHT,
  NEXT_WEIGHT,
} from "../domain/ranking.ts";
import type { Places } from "./kept-statement.ts";
import { bitOf, type QuestionValues, TERMS_A_SIGNATURE } from "./search-question.ts";

/** How `ranked` tells of a memory. */
export interface RankedRow {
  /** Of its vector from the question's: 1 less the cosine. */
  readonly distance: number;
  /** What the memories are ranked by. */
  readonly score: number;
  /** Of the whole scope, in each row: how many memories, and of their distances. */
  readonly memories: number;
  readonly mean: number;
  readonly deviation: number | null;
  /** How many memories were read for it: at least those of the scope. */
  readonly read: number;
  /**
   * Of the memory with the highest score, neighbours left out; `best_covered` is the share
   * that it has of the weight of the question's terms.
   */
  readonly best_score: number;
  readonly best_distance: number;
  readonly best_covered: number;
}

/** A memory whose neighbours score no more than itself has at most so many times its own score. */
const MOST_BY_NEIGHBOURS = 1 + NEXT_WEIGHT + NEXT_BUT_ONE_WEIGHT;

export interface RankingOptions {
  /** Of terms, as `placesFor` says. */
  readonly places: number;
  readonly wordsWeight: number;
}

/**
 * How memories are scored, as parts of a statement.
 *
 * Each memory is read once, for its distance and its signature: which of the question's
 * terms it has, as the bits of a number. Memories of one signature and one length are a
 * kind, with one weight by words. From the kinds, of which there are hundreds, come the
 * statistics of exactly this scope.
 */
export interface SearchScores {
  /** The table of what was asked. It is cast once: as bare parameters, a generic plan would do it for each row. */
  readonly asked: RawBuilder<unknown>;
  /** Of the row of a vector. */
  readonly distance: RawBuilder<number>;
  /** Columns of such a row, each with a comma behind it: what it has of each signature. */
  readonly matches: RawBuilder<unknown>;
  /** The same of a row that has these, as bits; and the names of those columns. */
  readonly bits: RawBuilder<unknown>;
  readonly bitNames: RawBuilder<unknown>;
  /** Of a row of `weighed`, beside `weights` and `words`. */
  readonly byWords: RawBuilder<number>;
  /** Of a row with bits, a length and a distance, beside the same two: the latter a share of what was asked for. */
  readonly score: RawBuilder<number>;
  readonly covered: RawBuilder<number>;
  /**
   * The tables `kinds`, `scope`, `weights` (of terms and distances), `weighed` (the kinds) and
   * `words` of the rows of `known`, each with a distance, matches and a length.
   */
  statistics(
    known: RawBuilder<unknown>,
    hasConversations: RawBuilder<unknown>,
  ): RawBuilder<unknown>;
}

export function searchScores(
  { places, wordsWeight }: RankingOptions,
  values: Places<QuestionValues>,
): SearchScores {
  const queries = [values.signature0, values.signature1].slice(
    0,
    Math.ceil(places / TERMS_A_SIGNATURE),
  );
  const all = (text: (i: number) => string) => sql.raw(queries.map((_, i) => text(i)).join(""));
  const each = (text: (bit: string, i: number) => string) =>
    sql.raw(Array.from({ length: places }, (_, i) => text(bitOf(i), i)).join(""));
  const bits = all((i) => `coalesce((-match${i})::int, 0) as bits${i}, `);
  const bitNames = all((i) => `bits${i}, `);
  const matched = sql`(0${each((bit, i) => ` + i${i} * ${bit}`)})`;
  const bm25 = sql`coalesce(${matched} * ${sql.lit(BM25_K1 + 1)}
    / (1 + ${sql.lit(BM25_K1)} * (${sql.lit(1 - BM25_B)} + ${sql.lit(BM25_B)} * coalesce(length, 0) / average)), 0)`;
  const covered = sql<number>`coalesce(${matched} / nullif(asked_for, 0), 0)`;
  const fromWords = (weight: RawBuilder<unknown>) =>
    sql<number>`coalesce((${weight} - mean_bm25) * per_bm25, 0)`;
  return {
    asked: sql`asked as materialized (
      select ${values.vector}::vector as vector,
        ${sql.join(queries.map((query, i) => sql`${query}::sparsevec as ${sql.raw(`signature${i}`)}`))},
        ${values.terms}::int as term_count
    )`,
    distance: sql`coalesce(nullif(embedding <=> (select vector from asked), 'NaN'), 1)`,
    matches: all((i) => `terms <#> (select signature${i} from asked) as match${i}, `),
    bits,
    bitNames,
    byWords: fromWords(sql`bm25`),
    score: sql`${fromWords(bm25)} + coalesce((mean - distance) * per_distance, 0)`,
    covered,
    statistics: (known, hasConversations) => sql`
      kinds as materialized (
        select ${bitNames} length, count(*)::float8 as times,
          min(distance) as nearest, sum(distance) as d1, sum(distance * distance) as d2
        from (select ${bits} coalesce(length, 0) as length, distance from ${known} as known) as known
        group by ${bitNames} length
      ),
      scope as materialized (
        select sum(times) as n,
          ${hasConversations} as has_conversations,
          sum(times * length) / nullif(sum(times) filter (where length > 0), 0) as average,
          sum(d1) / sum(times) as mean,
          ${deviation("sum(d1)", "sum(d2)", "sum(times)")} as deviation${each(
            (bit, i) => `, sum(times * ${bit}) as df${i}`,
          )}
        from kinds
      ),
      weights as materialized (
        select *, 0${each((_, i) => ` + i${i}`)} as asked_for,
          ${sql.lit(1 - wordsWeight)}::float8 / deviation as per_distance
        from scope cross join lateral (
          select 0 as none${each((_, i) => `, case when ${i} < term_count then ln(1 + (n - df${i} + .5) / (df${i} + .5)) else 0 end as i${i}`)}
          from asked
          offset 0
        ) as idf
      ),
      weighed as materialized (
        select ${bitNames} length, times, nearest, ${bm25} as bm25
        from kinds cross join weights
      ),
      words as materialized (
        select sum(times * bm25) / sum(times) as mean_bm25,
          ${sql.lit(wordsWeight)}::float8 / ${deviation("sum(times * bm25)", "sum(times * bm25 * bm25)", "sum(times)")} as per_bm25
        from weighed
      )`,
  };
}

/** What a score takes in of those beside it in its `line`, which is a window. */
export const FROM_NEIGHBOURS = sql<number>`
  ${sql.lit(NEXT_WEIGHT)} * greatest(0, lag(score) over line, lead(score) over line)
  + ${sql.lit(NEXT_BUT_ONE_WEIGHT)} * greatest(0, lag(score, 2) over line, lead(score, 2) over line)`;

/**
 * Below `least`, neither a memory nor one next to it is among the best, of which `table` has
 * scores of some: not the last of them has more, even with such neighbours. A table of its
 * own, and read as one value: joined, it could be worked out once for each row.
 */
export function leastFor(
  table: string,
  column: string,
  limit: RawBuilder<number>,
): RawBuilder<unknown> {
  return sql`
    select coalesce(last / case when has_conversations and last > 0
      then ${sql.lit(MOST_BY_NEIGHBOURS)} else 1 end, '-infinity') as least
    from scope cross join (
      select (array_agg(${sql.ref(column)} order by ${sql.ref(column)} desc))[${limit}::int] as last
      from ${sql.table(table)}
    ) as best`;
}

/**
 * The last tables of a search: `facts` of its scope, of which `first` has the memory with the
 * highest score, neighbours left out, and `ranked`, the best of `smoothed`. `read` is how many
 * memories were read.
 */
export function rankedTables(
  { first, smoothed, read }: Readonly<Record<"first" | "smoothed" | "read", RawBuilder<unknown>>>,
  limit: RawBuilder<number>,
): RawBuilder<unknown> {
  return sql`
    facts as materialized (
      select n as memories, mean, deviation, ${read} as read,
        first.score as best_score, first.distance as best_distance, first.covered as best_covered
      from weights cross join words
      cross join (select * from ${first} as scored order by score desc, memory_id desc limit 1) as first
    ),
    ranked as (
      select * from (
        select memory_id, distance, score from ${smoothed} as smoothed
        where score is not null
        order by score desc, memory_id desc
        limit ${limit}
      ) as first
      cross join facts
    )`;
}

/** From the sums of values and of their squares; null where there is none to speak of. */
function deviation(sum: string, squares: string, count: string): RawBuilder<number> {
  const variance = `(${squares} / ${count} - (${sum} / ${count}) ^ 2)`;
  return sql.raw(`case when ${variance} > ${LEAST_DEVIATION ** 2} then sqrt(${variance}) end`);
}
