import { type RawBuilder, sql } from "kysely";
import type { Places } from "./kept-statement.ts";
import type { QuestionValues } from "./search-question.ts";
import type { ScopeValues, SearchScope } from "./search-scope.ts";
import {
  FROM_NEIGHBOURS,
  leastFor,
  type RankingOptions,
  rankedTables,
  searchScores,
} from "./search-scores-sql.ts";

/** A memory's score takes in those up to two steps away, and so do theirs. */
const STEPS = 4;
/** The first terms of a question whose combinations have a bound of their own. */
const BOUNDED_TERMS = 8;
/** More than the rounding of a score. */
const ROUNDING = 1e-9;

/**
 * Tables of a statement, the last of which, `ranked`, has the best memories of a scope.
 *
 * From the kinds comes the score of the best memory of each, its nearest. The best of them,
 * as many as are asked for, have a score that nothing in the answer is below. What is in the
 * answer has a share of that, itself or next to it: most memories are too far away for so
 * much, whatever their words. The neighbours of the others are read from the index of
 * conversations, and theirs: a memory that comes up beside several has its score where it
 * has all of its own, and never more.
 *
 * Where the scope has a sample, the statistics are those of the sample, and of the others
 * each is scored: there are few.
 */
export function bestMemories(
  { tables, vectors, sample, hasConversations, neighbours }: SearchScope,
  options: RankingOptions,
  values: Places<QuestionValues & Pick<ScopeValues, "companyId" | "spaceId">>,
): RawBuilder<unknown> {
  const { companyId, spaceId, limit } = values;
  const { asked, distance, matches, bits, byWords, score, covered, statistics } = searchScores(
    options,
    values,
  );
  const bounds = 2 ** Math.min(BOUNDED_TERMS, options.places);
  const boundOf = sql.raw(`bits0 & ${bounds - 1}`);

  const near = (side: "before" | "after") => sql`
    select memory_id, ${distance} as distance, ${matches} length, is_seen
    ${neighbours(side, STEPS)}`;

  return sql`
    ${asked},
    ${sql.join(
      tables.map((table) => sql`${table}, `),
      sql``,
    )}
    scan as materialized (
      select memory_id, ${distance} as distance, ${matches} length
      ${vectors}
    ),
    ${
      sample === null
        ? sql``
        : sql`sample as materialized (
      select ${distance} as distance, ${matches} length ${sample}
    ),`
    }
    ${statistics(sql.raw(sample === null ? "scan" : "sample"), hasConversations)},
    scored as materialized (
      select ${boundOf} as bound_of, by_words,
        by_words + coalesce((mean - nearest) * per_distance, 0) as most
      from (
        select bits0, nearest, ${byWords} as by_words from weighed cross join words
      ) as weighed cross join weights
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
        select memory_id, distance, ${bits} length from scan
        ${sample === null ? sql`where distance <= (select farthest from bounds)` : sql``}
        offset 0
      ) as scan
      cross join weights cross join words
      ${sample === null ? sql`where distance <= (select bounds from bounds)[1 + (${boundOf})]` : sql``}
    ),
    least_of_near as materialized (${leastFor("near", "score", limit)}),
    best as materialized (
      select memory_id, distance, score from near
      where score >= (select least from least_of_near)
    ),
    around as materialized (
      select best.memory_id as best_id, other.memory_id, distance,
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
        select memory_id, distance, ${bits} length, is_seen
        from ((${near("before")}) union all (${near("after")})) as other
        offset 0
      ) as other
      cross join weights cross join words
    ),
    lines as (
      select best_id, memory_id, distance, score from around
      union all
      select memory_id, memory_id, distance, score from best
    ),
    smoothed as (
      select memory_id, distance, score + ${FROM_NEIGHBOURS} as score
      from lines
      window line as (partition by best_id order by memory_id)
    ),
    ${rankedTables(
      {
        first: sql`near`,
        smoothed: sql`(
          select memory_id, min(distance) as distance, max(score) as score
          from smoothed group by memory_id
        )`,
        read: sql`n`,
      },
      limit,
    )}`;
}
