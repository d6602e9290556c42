import { type Kysely, sql } from "kysely";

/** What the classifier decided lately, of an account. Frozen: a later change is a later migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index audit_events_of_decisions
    on audit_events (company_id, at desc, memory_id, sequence)
    where actor = 'classifier' and event <> 'trimmed'`.execute(db);
}
