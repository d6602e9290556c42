import { type Kysely, sql } from "kysely";

/** What reads of a conversation, and of a past state, look up. Frozen: a later change is a later migration. */
const STATEMENTS: readonly string[] = [
  `create index memories_in_session
    on memories (company_id, tenant_id, session_hash(session_id), id)
    where session_id is not null`,
  // Few memories have such events: to see that one has none takes no look at its history.
  `create index audit_events_of_ends
    on audit_events (company_id, memory_id, sequence)
    where event not in ('created', 'classified')`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
