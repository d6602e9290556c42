import { type Kysely, sql } from "kysely";

/** When the operator suspended an account; null: it is not. Frozen: a later change is a later migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table accounts add column suspended_at timestamptz`.execute(db);
}
