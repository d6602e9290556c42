import { type Kysely, sql } from "kysely";

/**
 * Each fact of a conversation keeps the message that it came from, of up to 32 KiB. To
 * compress a long one for each of its facts took most of the time of such a write, and
 * meanwhile others waited for the embedded database.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table memories alter column original_message set storage external`.execute(db);
}
