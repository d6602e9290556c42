-- The memories of some sources and a topic, as they were known and held at two moments. The question has three terms.
-- $1 = "company-1"
-- $2 = "2026-05-04T03:02:01.123457Z"
-- $3 = "2026-05-04T03:02:01.123457Z"
-- $4 = "2026-05-04T03:02:01.123457Z"
-- $5 = "2026-05-04T03:02:01.123457Z"
-- $6 = "2026-05-04T03:02:01.123457Z"
-- $7 = "2026-05-04T03:02:01.123457Z"
-- $8 = "2026-05-04T03:02:01.123457Z"
-- $9 = "company-1"
-- $10 = "company-1"
-- $11 = "2026-05-04T03:02:01.123457Z"
-- $12 = "company-1"
-- $13 = "tenant-1"
-- $14 = "Home"
-- $15 = null
-- $16 = null
-- $17 = "{}"
-- $18 = "2026-05-04T03:02:01.123457Z"
-- $19 = "2026-05-04T03:02:01.123457Z"
-- $20 = ["agent","crm"]
-- $21 = [0.5,0.5,0.5,0.5]
-- $22 = "{102:1,203:2,304:4}/1000000000"
-- $23 = "company-1"
-- $24 = 1
-- $25 = 3
-- $26 = 20
-- $27 = 20
-- $28 = 10
-- $29 = "company-1"
-- $30 = "2026-05-04T03:02:01.123457Z"
-- $31 = "2026-05-04T03:02:01.123457Z"
-- $32 = "2026-05-04T03:02:01.123457Z"
-- $33 = "2026-05-04T03:02:01.123457Z"
-- $34 = "2026-05-04T03:02:01.123457Z"
-- $35 = "2026-05-04T03:02:01.123457Z"
-- $36 = "2026-05-04T03:02:01.123457Z"
-- $37 = "company-1"
-- $38 = "company-1"
-- $39 = "2026-05-04T03:02:01.123457Z"
-- $40 = "company-1"
-- $41 = 4194304
-- $42 = 1

with in_scope as materialized (
  select id from (
    select "memories"."company_id", "memories"."id", "memories"."tenant_id", "memories"."decision", "memories"."summary", "memories"."topic", "memories"."importance_score", "memories"."source", "memories"."created_at", "memories"."valid_from", "memories"."original_message", "memories"."span_start", "memories"."span_end", "memories"."metadata", "memories"."session_id", "memories"."attribute",
      case when history.goes_on
        then (case when history.last is null then history.first_end
          else coalesce(history.last->>'to', history.last->>'valid_to') end)::timestamptz
        else memories.valid_to end as valid_to,
      case when history.goes_on is not true then memories.superseded_by else (
        select id from memories as next
        where next.company_id = $1 and next.created_at <= $2::timestamptz and next.id in (
          history.superseded_by,
          case when memories.superseded_at <= $3::timestamptz then memories.superseded_by end) limit 1) end as superseded_by,
      case when history.goes_on then history.superseded_at
        else memories.superseded_at end as superseded_at
    from memories cross join lateral (
      select bool_or(at > $4::timestamptz) as goes_on,
        (array_agg(detail order by sequence desc) filter (where at <= $5::timestamptz))[1] as last,
        (array_agg(detail->>'previous_valid_to' order by sequence)
          filter (where at > $6::timestamptz))[1] as first_end,
        (array_agg(case when event <> 'restored' then (detail->>'superseded_by')::uuid end
          order by sequence desc)
          filter (where at <= $7::timestamptz and event <> 'trimmed'))[1] as superseded_by,
        (array_agg(case when event <> 'restored' then at end order by sequence desc)
          filter (where at <= $8::timestamptz and event not in ('trimmed', 'neighbour_erased')))[1]
          as superseded_at
      from audit_events
      where audit_events.company_id = $9 and audit_events.memory_id = memories.id
        and event in ('superseded', 'restored', 'trimmed', 'retracted', 'neighbour_erased')
    ) as history
    where memories.company_id = $10 and memories.created_at <= $11::timestamptz
  ) as memories
  where company_id = $12 and tenant_id = $13
    and (topic = coalesce($14, topic)
    and created_at > coalesce($15::timestamptz, '-infinity')
    and created_at < coalesce($16::timestamptz, 'infinity')
    and metadata @> $17::jsonb) and (valid_from <= $18 and (valid_to is null or valid_to > $19)) and source = any($20::text[])
),
scan as materialized (
  select memory_id, session_id as session_id,
    1 + (embedding <#> $21::vector) as distance,
    least(length, 500)::int8 | ((-("terms" <#> $22))::int8 << 9) as kind
  from in_scope
  cross join lateral (
    select memory_id, tenant_id, session_id, embedding, terms, length from memory_vectors
    where memory_vectors.company_id = $23 and memory_vectors.memory_id = in_scope.id
      and memory_vectors.space_id = (select id from embedding_spaces where id = $24 and is_active)
    offset 0
  ) as vectors
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
  from scope cross join (select $25::int as term_count) as question
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
  fetch first $26 rows with ties
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
  limit $27
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
  limit $28
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
  + case when metadata = '{}' then 0 else octet_length(metadata::text) end) as text_bytes from (
    select "memories"."company_id", "memories"."id", "memories"."tenant_id", "memories"."decision", "memories"."summary", "memories"."topic", "memories"."importance_score", "memories"."source", "memories"."created_at", "memories"."valid_from", "memories"."original_message", "memories"."span_start", "memories"."span_end", "memories"."metadata", "memories"."session_id", "memories"."attribute",
      case when history.goes_on
        then (case when history.last is null then history.first_end
          else coalesce(history.last->>'to', history.last->>'valid_to') end)::timestamptz
        else memories.valid_to end as valid_to,
      case when history.goes_on is not true then memories.superseded_by else (
        select id from memories as next
        where next.company_id = $29 and next.created_at <= $30::timestamptz and next.id in (
          history.superseded_by,
          case when memories.superseded_at <= $31::timestamptz then memories.superseded_by end) limit 1) end as superseded_by,
      case when history.goes_on then history.superseded_at
        else memories.superseded_at end as superseded_at
    from memories cross join lateral (
      select bool_or(at > $32::timestamptz) as goes_on,
        (array_agg(detail order by sequence desc) filter (where at <= $33::timestamptz))[1] as last,
        (array_agg(detail->>'previous_valid_to' order by sequence)
          filter (where at > $34::timestamptz))[1] as first_end,
        (array_agg(case when event <> 'restored' then (detail->>'superseded_by')::uuid end
          order by sequence desc)
          filter (where at <= $35::timestamptz and event <> 'trimmed'))[1] as superseded_by,
        (array_agg(case when event <> 'restored' then at end order by sequence desc)
          filter (where at <= $36::timestamptz and event not in ('trimmed', 'neighbour_erased')))[1]
          as superseded_at
      from audit_events
      where audit_events.company_id = $37 and audit_events.memory_id = memories.id
        and event in ('superseded', 'restored', 'trimmed', 'retracted', 'neighbour_erased')
    ) as history
    where memories.company_id = $38 and memories.created_at <= $39::timestamptz
  ) as memories
      where memories.company_id = $40 and memories.id = ranked.memory_id
      offset 0
    ) as memory
  ) as found
  cross join scope
  cross join (select * from best order by score desc, memory_id desc limit 1) as first
) on (text_bytes_so_far <= $41 or text_bytes_so_far = text_bytes)
where space.id = $42 and space.is_active
order by found.score desc, found.id desc;
