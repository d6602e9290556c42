import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";

/**
 * Every table of version 0.1.0. Frozen: a later change is a later migration.
 *
 * `company_id` is in every primary key, foreign key and unique constraint, so that the tables
 * can be distributed by it (Citus). Where a row is also looked up by its ID alone, the ID comes
 * first. Keys collate "C": they are compared byte by byte, the same on every engine.
 *
 * Constraints are named as the sentences that they hold.
 */
const STATEMENTS: readonly string[] = [
  "create extension if not exists vector",

  `create table accounts (
    company_id text collate "C" primary key,
    org_id uuid not null,
    plan_tier text not null
      constraint "the plan tier is starter or pro" check (plan_tier in ('starter', 'pro')),
    plan_status text not null
      constraint "the plan is active, past due or canceled"
      check (plan_status in ('active', 'past_due', 'canceled')),
    writes_limit integer
      constraint "a writes limit is not negative" check (writes_limit >= 0),
    grace_days integer
      constraint "grace days are not negative" check (grace_days >= 0),
    rate double precision
      constraint "a rate is not negative" check (rate >= 0),
    burst integer
      constraint "a burst is not negative" check (burst >= 0),
    period_anchor timestamptz not null,
    created_at timestamptz not null,
    suspended_at timestamptz
  )`,

  `create table write_usage (
    company_id text collate "C" not null references accounts,
    period_start timestamptz not null,
    writes_used integer not null
      constraint "writes used are not negative" check (writes_used >= 0),
    last_admitted integer not null
      constraint "an admission is not negative" check (last_admitted >= 0),
    quota_reached_at timestamptz,
    grace_ends_at timestamptz,
    primary key (company_id, period_start)
  )`,

  `create table api_keys (
    company_id text collate "C" not null references accounts,
    id uuid not null,
    digest bytea not null
      constraint "a digest is 32 bytes" check (octet_length(digest) = 32),
    prefix text not null,
    created_at timestamptz not null,
    revoked_at timestamptz,
    name text,
    expires_at timestamptz,
    rights text[] not null default '{read,write,delete,import}'
      constraint "a right is read, write, delete or import"
      check (rights <@ '{read,write,delete,import}'),
    tenants text[] not null default '{}',
    primary key (id, company_id)
  )`,
  "create index api_keys_by_digest on api_keys (digest)",

  // Apart from the keys. These stand on every node of a distributed database, where each
  // note would be written on all of them.
  `create table api_key_uses (
    company_id text collate "C" not null,
    api_key_id uuid not null,
    last_used_at timestamptz not null,
    primary key (company_id, api_key_id),
    foreign key (company_id, api_key_id) references api_keys (company_id, id) on delete cascade
  )`,

  `create table api_key_settings (
    company_id text collate "C" not null,
    api_key_id uuid not null,
    auto_supersede_default boolean,
    excluded_categories text[],
    min_confidence double precision
      constraint "a confidence is 0 to 1" check (min_confidence between 0 and 1),
    classifier_model text,
    auto_supersede_mode text
      constraint "the mode is act or shadow" check (auto_supersede_mode in ('act', 'shadow')),
    log_questions boolean,
    primary key (company_id, api_key_id),
    foreign key (company_id, api_key_id) references api_keys (company_id, id)
  )`,

  `create table sessions (
    company_id text collate "C" not null references accounts,
    id uuid not null,
    digest bytea not null
      constraint "a session's digest is 32 bytes" check (octet_length(digest) = 32),
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    provider_session_id text collate "C",
    id_token text,
    primary key (company_id, id)
  )`,
  // Of an account the last one is good. The token itself is stored nowhere.
  `create table sign_in_links (
    company_id text collate "C" primary key references accounts,
    digest bytea not null
      constraint "a sign-in link's digest is 32 bytes" check (octet_length(digest) = 32),
    expires_at timestamptz not null
  )`,
  "create index sign_in_links_by_digest on sign_in_links (digest)",
  "create index sessions_by_digest on sessions (digest)",
  `create index sessions_by_provider_session
    on sessions (provider_session_id) where provider_session_id is not null`,

  `create table logout_tokens (
    company_id text collate "C" not null references accounts,
    digest bytea not null
      constraint "a logout token's digest is 32 bytes" check (octet_length(digest) = 32),
    expires_at timestamptz not null,
    primary key (company_id, digest)
  )`,

  // A call, or the sum of those of a day that have all but their times in common, which has no
  // request ID. The memories of a write are those of its tenants and its `written_at`.
  `create table calls (
    company_id text collate "C" not null references accounts on delete cascade,
    id uuid not null,
    at timestamptz not null,
    actor text collate "C" not null,
    rpc text collate "C" not null,
    tenant_ids text[] collate "C" not null,
    status smallint not null,
    reason text collate "C",
    calls integer not null
      constraint "a sum has calls" check (calls >= 1),
    total_ms double precision not null,
    request_id text collate "C",
    saved_count integer not null,
    written_at timestamptz,
    model_calls integer not null,
    uncounted_calls integer not null
      constraint "some of the calls are not counted" check (uncounted_calls between 0 and model_calls),
    input_tokens bigint not null,
    output_tokens bigint not null,
    question text,
    answer text,
    primary key (company_id, id)
  )`,
  "create index calls_newest_first on calls (company_id, id) where request_id is not null",
  "create index calls_with_texts on calls (company_id) where question is not null",
  "create index calls_by_age on calls using brin (at)",

  `create table embedding_spaces (
    id integer generated by default as identity primary key,
    provider text not null,
    model text not null,
    dimensions integer not null
      constraint "a vector has dimensions" check (dimensions >= 1),
    is_active boolean not null,
    terms_version integer not null,
    constraint "a space is recorded once" unique (provider, model, dimensions)
  )`,
  `create unique index "one embedding space is active"
    on embedding_spaces (is_active) where is_active`,

  // No reference to accounts: each insert would lock the account's row, and all writers of
  // an account would wait for each other there.
  `create table memories (
    company_id text collate "C" not null,
    id uuid not null,
    tenant_id text collate "C" not null,
    decision text not null,
    summary text,
    topic text not null,
    importance_score smallint not null
      constraint "importance is 1 to 10" check (importance_score between 1 and 10),
    source text collate "C" not null,
    created_at timestamptz not null,
    valid_from timestamptz not null,
    valid_to timestamptz,
    superseded_by uuid,
    superseded_at timestamptz,
    original_message text,
    span_start integer,
    span_end integer,
    mode text not null
      constraint "a memory is written as content or from messages"
      check (mode in ('content', 'messages')),
    session_id text,
    message_index integer
      constraint "a message index is not negative" check (message_index >= 0),
    extraction_provider text,
    extraction_model text,
    extraction_byo_llm boolean,
    stated_at timestamptz,
    attribute text collate "C",
    category text collate "C",
    metadata jsonb not null default '{}'
      constraint "metadata is an object" check (jsonb_typeof(metadata) = 'object'),
    primary key (id, company_id),
    constraint "a memory has one tenant" unique (company_id, tenant_id, id),
    constraint "a replacement is in the same account and tenant"
      foreign key (company_id, tenant_id, superseded_by)
      references memories (company_id, tenant_id, id),
    constraint "a span has a start and an end"
      check (num_nulls(span_start, span_end) = 2 or (span_start >= 0 and span_start < span_end)),
    constraint "a memory is not its own replacement" check (superseded_by <> id),
    constraint "a replaced memory is superseded"
      check (superseded_by is null or superseded_at is not null),
    constraint "a superseded memory has an end of validity"
      check (superseded_at is null or valid_to is not null),
    constraint "an extraction names its provider, its model and who brought it"
      check (num_nulls(extraction_provider, extraction_model, extraction_byo_llm) in (0, 3))
  )`,
  // Each fact of a conversation stores the message that it came from, of up to 32 KiB. To
  // compress a long one for each of its facts took most of the time of such a write.
  "alter table memories alter column original_message set storage external",
  // By a hash, because four labels of the longest kind are too long for an index. The cost
  // says that the function is slow: a planner that knows nothing of an account, as after a
  // first load, then prefers an index that does not have to call it.
  `create function session_hash(session_id text) returns bigint
    language plpgsql immutable strict parallel safe cost 100000
    as 'begin return hashtextextended(session_id, 0); end'`,
  // A planner is to take each account for the whole table. Statistics from when this was nearly
  // empty let it read all of an account for each step of a walk along a chain.
  "alter table memories alter column company_id set (n_distinct = 1)",
  `create index memories_newest_first
    on memories (company_id, tenant_id, created_at desc, id desc)`,
  `create index memories_by_replacement
    on memories (company_id, superseded_by) where superseded_by is not null`,
  `create index memories_about_attribute
    on memories (company_id, tenant_id, attribute, id)
    where superseded_at is null and attribute is not null`,
  // What a profile is of. "General" is no topic: there a memory says plainly whose attribute it
  // gives a value of. Planners put the text in the place of a call, so that the index is used.
  `create function is_standing(importance_score smallint, topic text, attribute text)
    returns boolean language sql immutable parallel safe
    return importance_score >= 7 or lower(topic) in (
      'identity', 'profile', 'personal', 'family', 'location', 'home', 'work', 'job', 'contact',
      'health', 'food', 'diet', 'language', 'education', 'preference', 'preferences'
    ) or (lower(topic) = 'general' and attribute like '%|%')`,
  `create index memories_of_profiles
    on memories (company_id, tenant_id, importance_score desc, id)
    where superseded_at is null and is_standing(importance_score, topic, attribute)`,
  `create index memories_in_session
    on memories (company_id, tenant_id, session_hash(session_id), id)
    where session_id is not null`,

  // No index on the vectors: an approximate index shared by all accounts loses results of
  // each. They are scanned exactly, within one account and tenant. The space is no foreign
  // key: every insert would lock its row, and all writers would wait for each other there.
  // The vector is last: a search that reads what stands behind it waits for memory once more.
  `create table memory_vectors (
    company_id text collate "C" not null,
    memory_id uuid not null,
    tenant_id text collate "C" not null,
    source text collate "C" not null,
    valid_from timestamptz not null,
    valid_to timestamptz,
    is_superseded boolean not null,
    space_id integer not null,
    length integer not null,
    session_id text collate "C",
    terms sparsevec not null,
    embedding vector not null,
    primary key (company_id, memory_id, space_id),
    foreign key (company_id, memory_id) references memories (company_id, id)
  )`,
  // A scan then reads vectors where the rows are, instead of one look-up for each. The other
  // columns must not move out to make room either. It can't be changed once the table is
  // distributed.
  "alter table memory_vectors alter column embedding set storage plain",
  "alter table memory_vectors set (toast_tuple_target = 8160)",
  // No statement asks what values they have; to sample them reads a lot.
  "alter table memory_vectors alter column embedding set statistics 0",
  "alter table memory_vectors alter column terms set statistics 0",
  `create index memory_vectors_not_superseded
    on memory_vectors (company_id, tenant_id, space_id) where not is_superseded`,

  `create table audit_events (
    company_id text collate "C" not null,
    memory_id uuid not null,
    sequence integer not null
      constraint "a history counts from 1" check (sequence >= 1),
    event text not null
      constraint "an event is of a kind that clients know"
      check (event in ('created', 'classified', 'superseded', 'restored', 'trimmed', 'retracted',
        'imported', 'neighbour_erased')),
    at timestamptz not null,
    actor text not null,
    detail jsonb not null
      constraint "a detail is an object" check (jsonb_typeof(detail) = 'object'),
    primary key (company_id, memory_id, sequence),
    foreign key (company_id, memory_id) references memories (company_id, id)
  )`,
  // Few memories have such events: to see that one has none takes no look at its history.
  `create index audit_events_of_ends
    on audit_events (company_id, memory_id, sequence)
    where event in ('superseded', 'restored', 'trimmed', 'retracted', 'neighbour_erased')`,
  `create index audit_events_of_decisions
    on audit_events (company_id, at desc, memory_id, sequence)
    where actor = 'classifier' and event <> 'trimmed'`,

  // What a classifier said of memories, by the memories.
  `create index audit_events_with_reasons on audit_events
    using gin ((coalesce(detail->'candidates', '[]') || coalesce(detail->'superseded_by', '[]')))
    where detail ? 'reason'`,

  // What people say of what the classifier decided. It goes with the memories.
  `create table decision_verdicts (
    company_id text collate "C" not null,
    decided_in uuid not null,
    sequence integer not null,
    memory_id uuid not null,
    api_key_id text,
    model text not null,
    is_shadow boolean not null,
    is_right boolean not null,
    primary key (company_id, decided_in, sequence, memory_id),
    foreign key (company_id, decided_in, sequence) references audit_events on delete cascade,
    foreign key (company_id, memory_id) references memories (company_id, id) on delete cascade
  )`,
  "create index decision_verdicts_by_memory on decision_verdicts (company_id, memory_id)",

  `create table rejected_facts (
    company_id text collate "C" not null references accounts on delete cascade,
    id uuid not null,
    tenant_id text collate "C" not null,
    session_id text,
    source text not null,
    metadata jsonb not null
      constraint "metadata of a rejected fact is an object" check (jsonb_typeof(metadata) = 'object'),
    rejected_at timestamptz not null,
    said_at timestamptz not null,
    fact text
      constraint "a rejected fact has at most 2,000 characters" check (char_length(fact) <= 2000),
    is_fact_cut boolean not null,
    is_retraction boolean not null,
    message text
      constraint "of a message 2,000 characters are kept" check (char_length(message) <= 2000),
    message_index integer,
    reason text not null,
    primary key (company_id, id)
  )`,

  // '': every tenant, and every source.
  `create table retention_rules (
    company_id text collate "C" not null references accounts on delete cascade,
    tenant_id text collate "C" not null,
    source text collate "C" not null,
    ended_after_days integer
      constraint "ended memories stay for a day" check (ended_after_days >= 1),
    all_after_days integer
      constraint "all memories stay for a day" check (all_after_days >= 1),
    ran_at timestamptz,
    primary key (company_id, tenant_id, source),
    constraint "a rule of retention has days" check (num_nonnulls(ended_after_days, all_after_days) > 0)
  )`,

  // A key whose response was erased stays known, so that its repeat writes nothing.
  `create table idempotency_keys (
    company_id text collate "C" not null,
    key text collate "C" not null,
    fingerprint bytea not null,
    attempt_id uuid not null,
    claimed_at timestamptz not null,
    text_of jsonb,
    response bytea,
    quota_exceeded_until timestamptz,
    is_erased boolean not null default false,
    primary key (company_id, key),
    constraint "nothing of an erased response is kept"
      check (not is_erased
        or num_nonnulls(response, quota_exceeded_until, text_of) = 0)
  )`,
  "create index idempotency_keys_by_age on idempotency_keys (claimed_at)",
];

/** Which tables a database has: versions before 0.1.0 had others under the same name. */
export const TABLES_DIGEST = createHash("sha256").update(STATEMENTS.join(";")).digest("hex");

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  await sql.raw(`comment on table accounts is '${TABLES_DIGEST}'`).execute(db);
}
