import { type Kysely, sql } from "kysely";

/**
 * What retrieval by words needs beside each vector. Frozen: a later change is a later
 * migration.
 *
 * No statement rewrites the rows: that would take as long as there are many. Those
 * without terms are found by their vectors alone until the service has filled them in.
 */
const STATEMENTS: readonly string[] = [
  `alter table memory_vectors
    add column terms sparsevec,
    add column length integer,
    add column session_id text collate "C"`,
  // No statement asks what values they have; to sample them reads a lot.
  "alter table memory_vectors alter column terms set statistics 0",
  // By a hash, because four labels of the longest kind are too long for an index. It says of
  // itself that it is slow: a planner that knows nothing of an account, as after a first
  // load, takes one index for as good as another, but not if it would have to ask this.
  `create function session_hash(session_id text) returns bigint
    language plpgsql immutable strict parallel safe cost 100000
    as 'begin return hashtextextended(session_id, 0); end'`,
  // The neighbours of a memory in its conversation.
  `create index memory_vectors_in_session
    on memory_vectors (company_id, tenant_id, space_id, session_hash(session_id), memory_id)
    where not is_superseded and session_id is not null`,
  // Which rules made the terms of a space's memories. 0: some have none.
  "alter table embedding_spaces add column terms_version integer not null default 0",
  "alter table embedding_spaces alter column terms_version drop default",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
