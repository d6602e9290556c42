import { type Kysely, sql } from "kysely";

/**
 * What was said to an account's conversations and came to nothing; a server of the version
 * before that deletes an account knows nothing of it. Frozen: a later change is a later
 * migration.
 */
const STATEMENTS: readonly string[] = [
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
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
