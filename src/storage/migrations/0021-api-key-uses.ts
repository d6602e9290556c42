import { type Kysely, sql } from "kysely";

/**
 * When each API key was last used, apart from the keys: these stand on every node of a
 * distributed database, where each note would be written on all of them. What was noted with a
 * key before, and servers of the version before note still, counts beside it; when such a one
 * deletes an account, it knows nothing of this table. Frozen: a later change is a later
 * migration.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table api_key_uses (
    company_id text collate "C" not null,
    api_key_id uuid not null,
    last_used_at timestamptz not null,
    primary key (company_id, api_key_id),
    foreign key (company_id, api_key_id) references api_keys (company_id, id) on delete cascade
  )`.execute(db);
}
