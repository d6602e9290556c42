import { type Kysely, sql } from "kysely";

/** How a session here and the identity provider's end each other. Frozen: a later change is a later migration. */
const STATEMENTS: readonly string[] = [
  `alter table sessions
    add column provider_session_id text collate "C",
    add column id_token text`,
  `create index sessions_by_provider_session
    on sessions (provider_session_id) where provider_session_id is not null`,
  `create table logout_tokens (
    company_id text collate "C" not null references accounts,
    digest bytea not null
      constraint "a logout token's digest is 32 bytes" check (octet_length(digest) = 32),
    expires_at timestamptz not null,
    primary key (company_id, digest)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
