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
import type { ScopeValues, SearchScope } from "./search-scope.ts";

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
  /**
   * Of the memory with the highest score, neighbours left out; `best_covered` is the share
   * that it has of the weight of the question's terms.
   */
  readonly best_score: number;
  readonly best_distance: number;
  readonly best_covered: number;
}

/** A memory's score takes in those up to two steps away, and so do theirs. */
const STEPS = 4;
/** A memory whose neighbours score no more than itself has at most so many times its own score. */
const MOST_BY_NEIGHBOURS = 1 + NEXT_WEIGHT + NEXT_BUT_ONE_WEIGHT;

/** The first terms of a question whose combinations have a bound of their own. */
const BOUNDED_TERMS = 8;
/** More than the rounding of a score. */
const ROUNDING = 1e-9;

export interface RankingOptions {
  /** Of terms, as `placesFor` says. */
  readonly places: number;
  readonly wordsWeight: number;
}

/**
 * Tables of a statement, the last of which, `ranked`, has the best memories of a scope.
 *
 * Each memory is read once, for its distance and its signature: which of the question's
 * terms it has, as the bits of a number. Memories of one signature and one length are a
 * kind, with one weight by words. From the kinds, of which there are hundreds, come the
 * statistics of exactly this scope, and the score of the best memory of each, its nearest.
 *
 * The best of them, as many as are asked for, have a score that nothing in the answer is
 * below. What is in the answer has at least `1 / MOST_BY_NEIGHBOURS` of that, itself or next to
 * it: most memories are too far away for so much, whatever their words. The neighbours of
 * the others are read from the index of conversations.
 *
 * Where the scope has a sample, the statistics are those of the sample, and of the others
 * each is scored: there are few.
 */
export function bestMemories(
  { tables, vectors, sample, hasConversations, neighbours }: SearchScope,
  { places, wordsWeight }: RankingOptions,
  values: Places<QuestionValues & Pick<ScopeValues, "companyId" | "spaceId">>,
): RawBuilder<unknown> {
  const { companyId, spaceId, vector, terms, limit } = values;
  const queries = [values.signature0, values.signature1].slice(
    0,
    Math.ceil(places / TERMS_A_SIGNATURE),
  );
  const distance = sql`coalesce(nullif(embedding <=> (select vector from asked), 'NaN'), 1)`;
  const all = (text: (i: number) => string) => sql.raw(queries.map((_, i) => text(i)).join(""));
  const matches = all((i) => `match${i}, `);
  const selectMatches = all((i) => `terms <#> (select signature${i} from asked) as match${i}, `);
  const selectBits = all((i) => `coalesce((-match${i})::int, 0) as bits${i}, `);
  const each = (text: (bit: string, i: number) => string) =>
    sql.raw(Array.from({ length: places }, (_, i) => text(bitOf(i), i)).join(""));
  const matched = sql`lateral (
    select 0${each((bit, i) => ` + i${i} * ${bit}`)} as matched offset 0
  ) as matched`;
  const bm25 = sql`coalesce(matched * ${sql.lit(BM25_K1 + 1)}
    / (1 + ${sql.lit(BM25_K1)} * (${sql.lit(1 - BM25_B)} + ${sql.lit(BM25_B)} * coalesce(length, 0) / average)), 0)`;
  const covered = sql`coalesce(matched / nullif(asked_for, 0), 0)`;
  const byWords = sql`coalesce((${bm25} - mean_bm25) * per_bm25, 0)`;
  const score = sql`${byWords} + coalesce((mean - distance) * per_distance, 0)`;
  const bounds = 2 ** Math.min(BOUNDED_TERMS, places);
  const boundOf = sql.raw(`bits0 & ${bounds - 1}`);
  const known = sql.raw(sample === null ? "scan" : "sample");

  const near = (side: "before" | "after") => sql`
    select memory_id, ${distance} as distance, ${selectMatches} length, is_seen, step
    ${neighbours(side, STEPS)}`;

  // What was asked is cast once: as bare parameters, a generic plan would do it for each row.
  return sql`
    asked as materialized (
      select ${vector}::vector as vector,
        ${sql.join(queries.map((query, i) => sql`${query}::sparsevec as ${sql.raw(`signature${i}`)}`))},
        ${terms}::int as term_count
    ),
    ${sql.join(
      tables.map((table) => sql`${table}, `),
      sql``,
    )}
    scan as materialized (
      select memory_id, ${distance} as distance, ${selectMatches} length
      ${vectors}
    ),
    ${
      sample === null
        ? sql``
        : sql`sample as materialized (
      select ${distance} as distance, ${selectMatches} length ${sample}
    ),`
    }
    kinds as materialized (
      select ${selectBits} coalesce(length, 0) as length, count(*)::float8 as times,
        min(distance) as nearest, sum(distance) as d1, sum(distance * distance) as d2
      from ${known} group by ${matches} ${known}.length
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
      select ${boundOf} as bound_of, times, ${bm25} as bm25,
        coalesce((mean - nearest) * per_distance, 0) as by_distance
      from kinds cross join weights cross join ${matched}
    ),
    words as materialized (
      select sum(times * bm25) / sum(times) as mean_bm25,
        ${sql.lit(wordsWeight)}::float8 / ${deviation("sum(times * bm25)", "sum(times * bm25 * bm25)", "sum(times)")} as per_bm25
      from weighed
    ),
    scored as materialized (
      select bound_of, by_words, by_words + by_distance as most
      from (
        select bound_of, by_distance, coalesce((bm25 - mean_bm25) * per_bm25, 0) as by_words
        from weighed cross join words
      ) as weighed
    ),
    least_of_kinds as materialized (${leastFor("scored", "most", limit)}),
    bounds as materialized (
      select array_agg(coalesce(bound, '-infinity') order by bound_of) as bounds,
        max(bound) as farthest
      from generate_series(0, ${sql.lit(bounds - 1)}) as bound_of
      left join (
        select bound_of,
          max(coalesce(mean + (by_words - (select least from least_of_kinds)) / per_distance, 'infinity'))
            + ${sql.lit(ROUNDING)} as bound
        from scored cross join weights
        where most >= (select least from least_of_kinds)
        group by bound_of
      ) as bounded using (bound_of)
    ),
    near as materialized (
      select memory_id, distance, ${covered} as covered, ${score} as score
      from (
        select memory_id, distance, ${selectBits} length from scan
        ${sample === null ? sql`where distance <= (select farthest from bounds)` : sql``}
        offset 0
      ) as scan
      cross join weights cross join words cross join ${matched}
      ${sample === null ? sql`where distance <= (select bounds from bounds)[1 + (${boundOf})]` : sql``}
    ),
    least_of_near as materialized (${leastFor("near", "score", limit)}),
    best as materialized (
      select memory_id, distance, score from near
      where score >= (select least from least_of_near)
    ),
    around as materialized (
      select best.memory_id as best_id, other.memory_id, distance, step,
        case when is_seen then ${score} end as score
      from (
        select memory_id, session_id from best
        cross join lateral (
          select session_id from memory_vectors
          where company_id = ${companyId} and memory_vectors.memory_id = best.memory_id
            and space_id = ${spaceId} and session_id is not null
          offset 0
        ) as conversation
        offset 0
      ) as best
      cross join lateral (
        select memory_id, distance, step, ${selectBits} length, is_seen
        from ((${near("before")}) union all (${near("after")})) as other
        offset 0
      ) as other
      cross join weights cross join words cross join ${matched}
    ),
    lines as (
      select best_id, memory_id, distance, score, step from around
      union all
      select memory_id, memory_id, distance, score, 0 from best
    ),
    smoothed as (
      select memory_id, distance, step, score
        + ${sql.lit(NEXT_WEIGHT)} * greatest(0, lag(score) over line, lead(score) over line)
        + ${sql.lit(NEXT_BUT_ONE_WEIGHT)} * greatest(0, lag(score, 2) over line, lead(score, 2) over line)
        as score
      from lines
      window line as (partition by best_id order by memory_id)
    ),
    facts as materialized (
      select n as memories, mean, deviation,
        first.score as best_score, first.distance as best_distance, first.covered as best_covered
      from weights cross join words
      cross join (select * from near order by score desc, memory_id desc limit 1) as first
    ),
    ranked as (
      select * from (
        select memory_id, min(distance) as distance, min(score) as score
        from smoothed
        where abs(step) <= 2 and score is not null
        group by memory_id
        order by score desc, memory_id desc
        limit ${limit}
      ) as first
      cross join facts
    )`;
}

/**
 * Below `least`, neither a memory nor one next to it is among the best, of which `table` has
 * scores of some: not the last of them has more, even with such neighbours. A table of its
 * own, and read as one value: joined, it could be worked out once for each row.
 */
function leastFor(table: string, column: string, limit: RawBuilder<number>): RawBuilder<unknown> {
  return sql`
    select coalesce(last / case when has_conversations and last > 0
      then ${sql.lit(MOST_BY_NEIGHBOURS)} else 1 end, '-infinity') as least
    from scope cross join (
      select (array_agg(${sql.ref(column)} order by ${sql.ref(column)} desc))[${limit}::int] as last
      from ${sql.table(table)}
    ) as best`;
}

/** From the sums of values and of their squares; null where there is none to speak of. */
function deviation(sum: string, squares: string, count: string): RawBuilder<number> {
  const variance = `(${squares} / ${count} - (${sum} / ${count}) ^ 2)`;
  return sql.raw(`case when ${variance} > ${LEAST_DEVIATION ** 2} then sqrt(${variance}) end`);
}
