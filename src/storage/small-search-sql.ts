import { type RawBuilder, sql } from "kysely";
import type { Places } from "./kept-statement.ts";
import type { QuestionValues } from "./search-question.ts";
import {
  FROM_NEIGHBOURS,
  leastFor,
  type RankingOptions,
  rankedTables,
  searchScores,
} from "./search-scores-sql.ts";

/**
 * The same tables as those of `bestMemories`, for a scope of few memories: each is scored, and
 * the conversations of the best are read once more from what was read of all, and not from an
 * index, which takes longer than to read all of so few.
 *
 * Each kind has a memory, so that the full join is one from memories to kinds; but a planner
 * that expects one row can't make it one loop in another.
 *
 * `steps` is FROM of all that conversations are made of, each with whether the scope `is_seen`
 * to have it.
 */
export function bestOfFew(
  steps: RawBuilder<unknown>,
  options: RankingOptions,
  values: Places<QuestionValues>,
): RawBuilder<unknown> {
  const { asked, distance, matches, bits, bitNames, byWords, covered, statistics } = searchScores(
    options,
    values,
  );
  return sql`
    ${asked},
    scan as materialized (
      select memory_id, session_id, case when is_seen then ${distance} end as distance, ${matches} length
      ${steps}
    ),
    ${statistics(sql`(select * from scan where distance is not null)`, sql`true`)},
    scored as materialized (
      select memory_id, session_id, distance, covered,
        case when distance is not null
          then by_words + coalesce((mean - distance) * per_distance, 0) end as score
      from (
        select memory_id, session_id, distance, ${bits} coalesce(length, 0) as length from scan
      ) as scan
      full join (
        select ${bitNames} length, ${covered} as covered, ${byWords} as by_words, mean, per_distance
        from weighed cross join weights cross join words
      ) as kind using (${bitNames} length)
    ),
    best as materialized (
      select memory_id, distance, covered, score from scored
      where score is not null
      order by score desc, memory_id desc
      limit ${values.limit}
    ),
    least_of_best as materialized (${leastFor("best", "score", values.limit)}),
    conversations as materialized (
      select distinct session_id from scored
      where score >= (select least from least_of_best) and session_id is not null
    ),
    smoothed as (
      select memory_id, distance,
        score + case when session_id is null then 0 else ${FROM_NEIGHBOURS} end as score
      from scored
      where (session_id is null and score >= (select least from least_of_best))
        or session_id in (select session_id from conversations)
      window line as (partition by session_id order by memory_id)
    ),
    ${rankedTables(
      { first: sql`best`, smoothed: sql`smoothed`, read: sql`(select count(*)::float8 from scan)` },
      values.limit,
    )}`;
}
