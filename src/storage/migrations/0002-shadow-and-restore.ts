import { type Kysely, sql } from "kysely";

/** Automatic supersession in shadow mode, and its undoing. Frozen: a later change is a later migration. */
const STATEMENTS: readonly string[] = [
  `alter table api_key_settings add column auto_supersede_mode text
    constraint "the mode is act or shadow" check (auto_supersede_mode in ('act', 'shadow'))`,
  'alter table audit_events drop constraint "an event is created, classified or superseded"',
  `alter table audit_events add
    constraint "an event is created, classified, superseded or restored"
    check (event in ('created', 'classified', 'superseded', 'restored'))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
