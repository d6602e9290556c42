import { type Kysely, sql } from "kysely";

/** A key has a name that tells people what it is for, and may end by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table api_keys add column name text, add column expires_at timestamptz`.execute(
    db,
  );
}
