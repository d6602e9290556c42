import { type Kysely, sql } from "kysely";

/** What the writer of a memory gave it, as texts by name. Frozen: a later change is a later migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table memories
    add column metadata jsonb not null default '{}'
      constraint "metadata is an object" check (jsonb_typeof(metadata) = 'object')`.execute(db);
}
