-- All current memories of a tenant. The question has three terms.
-- $1 = [0.5,0.5,0.5,0.5]
-- $2 = "{102:1,203:2,304:4}/1000000000"
-- $3 = "company-1"
-- $4 = "tenant-1"
-- $5 = 1
-- $6 = "2026-05-04T03:02:01.123457Z"
-- $7 = 3
-- $8 = 20
-- $9 = 20
-- $10 = 10
-- $11 = "company-1"
-- $12 = 4194304
-- $13 = 1

with scan as materialized (
  select memory_id, session_id as session_id,
    1 + (embedding <#> $1::vector) as distance,
    least(length, 500)::int8 | ((-("terms" <#> $2))::int8 << 9) as kind
  from memory_vectors
  where company_id = $3 and tenant_id = $4
    and space_id = (select id from embedding_spaces where id = $5 and is_active)
    and not is_superseded and (valid_to is null or valid_to > $6)
),
kinds as materialized (
  select kind, kind & 511 as length, count(*)::float8 as memories,
    sum(distance) as distances, sum(distance * distance) as squares,
    min(distance) as least_distance
  from scan
  group by kind
),
scope as materialized (
  select sum(memories) as memories,
    sum(distances) / sum(memories) as mean_distance,
    case when (sum(squares) / sum(memories) - (sum(distances) / sum(memories)) ^ 2) > 1e-12 then sqrt((sum(squares) / sum(memories) - (sum(distances) / sum(memories)) ^ 2)) end as distance_deviation,
    sum(memories * ((kind >> 9) & 1)) as having0,
    sum(memories * ((kind >> 10) & 1)) as having1,
    sum(memories * ((kind >> 11) & 1)) as having2,
    sum(memories * ((kind >> 12) & 1)) as having3
  from kinds
),
idf as materialized (
  select case when 0 < term_count then ln(1 + (memories - having0 + .5) / (having0 + .5)) else 0 end as idf0,
    case when 1 < term_count then ln(1 + (memories - having1 + .5) / (having1 + .5)) else 0 end as idf1,
    case when 2 < term_count then ln(1 + (memories - having2 + .5) / (having2 + .5)) else 0 end as idf2,
    case when 3 < term_count then ln(1 + (memories - having3 + .5) / (having3 + .5)) else 0 end as idf3
  from scope cross join (select $7::int as term_count) as question
),
weighed as materialized (
  select kind, least_distance, memories, coalesce(matched / nullif(asked, 0), 0) as coverage,
    matched / (1 + length / 100::float8) as weight
  from (
    select kind, length, least_distance, memories,
      idf0 * ((kind >> 9) & 1)
      + idf1 * ((kind >> 10) & 1)
      + idf2 * ((kind >> 11) & 1)
      + idf3 * ((kind >> 12) & 1) as matched,
      idf0 + idf1 + idf2 + idf3 as asked
    from kinds cross join idf
    offset 0
  ) as kinds
),
words as materialized (
  select sum(memories * weight) / sum(memories) as mean_weight,
    case when (sum(memories * weight * weight) / sum(memories) - (sum(memories * weight) / sum(memories)) ^ 2) > 1e-12 then sqrt((sum(memories * weight * weight) / sum(memories) - (sum(memories * weight) / sum(memories)) ^ 2)) end as weight_deviation
  from weighed
),
by_words as materialized (
  select kind, least_distance, coverage, mean_distance,
    0.7 / distance_deviation as per_distance,
    coalesce(0.3 * (weight - mean_weight) / weight_deviation, 0) as score
  from weighed cross join words cross join scope
),
best_kinds as (
  select kind from by_words
  order by by_words.score + coalesce((mean_distance - least_distance) * per_distance, 0) desc
  fetch first $8 rows with ties
),
best as materialized (
  select * from (
    select memory_id, session_id, distance, coverage,
      by_words.score + coalesce((mean_distance - distance) * per_distance, 0) as score
    from (select * from scan where (kind in (select kind from best_kinds)) is true) as chosen
      full join by_words using (kind)
    offset 0
  ) as scored
  where memory_id is not null
  order by score desc, memory_id desc
  limit $9
),
smoothed as (
  select memory_id, distance, score + 0.2 * greatest(0, score) as score
  from best
  where session_id is null
  union all
  select memory_id, distance, score
    + 0.3 * (greatest(0, lag(score) over line) + greatest(0, lead(score) over line))
    + 0.15 * (greatest(0, lag(score, 2) over line) + greatest(0, lead(score, 2) over line))
    + 0.2 * greatest(0, max(score) over line)
  from (
    select memory_id, session_id, distance, coverage,
      by_words.score + coalesce((mean_distance - distance) * per_distance, 0) as score
    from (select * from scan where (session_id in (select session_id from best where session_id is not null)) is true) as chosen
      full join by_words using (kind)
    offset 0
  ) as scored
  where memory_id is not null
  window line as (partition by session_id order by memory_id
    rows between unbounded preceding and unbounded following)
),
ranked as (
  select * from smoothed
  order by score desc, memory_id desc
  limit $10
)
select found.*, scope.memories, first.score as best_score, first.coverage as best_coverage
from embedding_spaces as space
left join (
  (
    select memory.*, distance, score, count(*) over ()::int as found,
      sum(text_bytes) over (order by score desc, memory_id desc rows unbounded preceding) as text_bytes_so_far
    from ranked cross join lateral (
      select "memories"."company_id", "memories"."id", "memories"."tenant_id", "memories"."decision", "memories"."summary", "memories"."topic", "memories"."importance_score", "memories"."source", "memories"."created_at", "memories"."valid_from", "memories"."valid_to", "memories"."superseded_by", "memories"."superseded_at", "memories"."original_message", "memories"."span_start", "memories"."span_end", "memories"."metadata", (octet_length(decision) + octet_length(coalesce(summary, decision))
  + octet_length(coalesce(original_message, decision)) + octet_length(topic)
  + case when metadata = '{}' then 0 else octet_length(metadata::text) end) as text_bytes from memories as memories
      where memories.company_id = $11 and memories.id = ranked.memory_id
      offset 0
    ) as memory
  ) as found
  cross join scope
  cross join (select * from best order by score desc, memory_id desc limit 1) as first
) on (text_bytes_so_far <= $12 or text_bytes_so_far = text_bytes)
where space.id = $13 and space.is_active
order by found.score desc, found.id desc;
