import { type Kysely, sql } from "kysely";

/** The category that the extraction gave a fact, which keeps it from the classifier for good. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table memories add column category text collate "C"`.execute(db);
}
