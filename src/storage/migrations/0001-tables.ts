import { type Kysely, sql } from "kysely";

/**
 * Every table of the first version. Frozen: a later change is a later migration.
 *
 * `company_id` is in every primary key, foreign key and unique constraint, so
 * that the tables distribute by it (Citus). Where a row is also looked up by its ID
 * alone, the ID comes first. Keys collate "C": they are compared, and paged through,
 * byte by byte, the same on every engine.
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
    created_at timestamptz not null
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
    last_used_at timestamptz,
    revoked_at timestamptz,
    primary key (id, company_id)
  )`,
  "create index api_keys_by_digest on api_keys (digest)",

  `create table api_key_settings (
    company_id text collate "C" not null,
    api_key_id uuid not null,
    auto_supersede_default boolean,
    excluded_categories text[],
    min_confidence double precision
      constraint "a confidence is 0 to 1" check (min_confidence between 0 and 1),
    classifier_model text,
    primary key (company_id, api_key_id),
    foreign key (company_id, api_key_id) references api_keys (company_id, id)
  )`,

  // No reference to accounts: each insert would lock the account's row, and
  // all writers of an account would meet there.
  `create table memories (
    company_id text collate "C" not null,
    id uuid not null,
    tenant_id text collate "C" not null,
    decision text not null,
    summary text not null,
    topic text not null,
    importance_score smallint not null
      constraint "importance is 1 to 10" check (importance_score between 1 and 10),
    source text collate "C" not null,
    created_at timestamptz not null,
    valid_from timestamptz not null,
    valid_to timestamptz,
    superseded_by uuid,
    superseded_at timestamptz,
    original_message text not null,
    mode text not null
      constraint "a memory is written as content or from messages"
      check (mode in ('content', 'messages')),
    session_id text,
    message_index integer
      constraint "a message index is not negative" check (message_index >= 0),
    extraction_provider text,
    extraction_model text,
    extraction_byo_llm boolean,
    primary key (id, company_id),
    constraint "a memory has one tenant" unique (company_id, tenant_id, id),
    constraint "a replacement is in the same account and tenant"
      foreign key (company_id, tenant_id, superseded_by)
      references memories (company_id, tenant_id, id),
    constraint "validity does not end before it starts" check (valid_to >= valid_from),
    constraint "a memory is not its own replacement" check (superseded_by <> id),
    constraint "a replaced memory is superseded"
      check (superseded_by is null or superseded_at is not null),
    constraint "a superseded memory has an end of validity"
      check (superseded_at is null or valid_to is not null),
    constraint "an extraction names its provider, its model and who brought it"
      check (num_nulls(extraction_provider, extraction_model, extraction_byo_llm) in (0, 3))
  )`,
  `create index memories_newest_first
    on memories (company_id, tenant_id, created_at desc, id desc)`,
  `create index memories_by_replacement
    on memories (company_id, superseded_by) where superseded_by is not null`,

  // No index on the vectors: an approximate index shared by all accounts loses
  // results of each. They are scanned exactly, within one account and tenant.
  `create table memory_vectors (
    company_id text collate "C" not null,
    memory_id uuid not null,
    tenant_id text collate "C" not null,
    source text collate "C" not null,
    valid_from timestamptz not null,
    valid_to timestamptz,
    is_superseded boolean not null,
    embedding_provider text not null,
    embedding_model text not null,
    embedding vector not null,
    primary key (company_id, memory_id),
    foreign key (company_id, memory_id) references memories (company_id, id)
  )`,
  // A scan then reads vectors where the rows are, instead of one look-up for
  // each. The other columns must not move out to make room either. It can't be
  // changed once the table is distributed.
  "alter table memory_vectors alter column embedding set storage plain",
  "alter table memory_vectors set (toast_tuple_target = 8160)",
  // No statement asks what values vectors have; to sample them reads a lot.
  "alter table memory_vectors alter column embedding set statistics 0",
  `create index memory_vectors_not_superseded
    on memory_vectors (company_id, tenant_id) where not is_superseded`,

  `create table audit_events (
    company_id text collate "C" not null,
    memory_id uuid not null,
    sequence integer not null
      constraint "a history counts from 1" check (sequence >= 1),
    event text not null
      constraint "an event is created, classified or superseded"
      check (event in ('created', 'classified', 'superseded')),
    at timestamptz not null,
    actor text not null,
    detail jsonb not null
      constraint "a detail is an object" check (jsonb_typeof(detail) = 'object'),
    primary key (company_id, memory_id, sequence),
    foreign key (company_id, memory_id) references memories (company_id, id)
  )`,

  `create table idempotency_keys (
    company_id text collate "C" not null,
    key text collate "C" not null,
    fingerprint bytea not null,
    attempt_id uuid not null,
    claimed_at timestamptz not null,
    response text,
    text_of_tenant_id text collate "C",
    primary key (company_id, key)
  )`,
  "create index idempotency_keys_by_age on idempotency_keys (claimed_at)",

  `create table embedding_space (
    id integer primary key
      constraint "a database has one embedding space" check (id = 1),
    provider text not null,
    model text not null,
    dimensions integer not null
      constraint "a vector has dimensions" check (dimensions >= 1)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
