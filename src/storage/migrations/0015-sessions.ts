import { type Kysely, sql } from "kysely";

/** Who is signed in to the dashboard. Frozen: a later change is a later migration. */
const STATEMENTS: readonly string[] = [
  `create table sessions (
    company_id text collate "C" not null references accounts,
    id uuid not null,
    digest bytea not null
      constraint "a session's digest is 32 bytes" check (octet_length(digest) = 32),
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    primary key (company_id, id)
  )`,
  "create index sessions_by_digest on sessions (digest)",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
