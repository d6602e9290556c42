import { type Kysely, sql } from "kysely";

/**
 * An end at or before the start, which says that a memory never held as recorded, and the
 * events of what a later version trims and of what a user takes back. Frozen: a later change
 * is a later migration.
 */
const STATEMENTS: readonly string[] = [
  'alter table memories drop constraint "validity does not end before it starts"',
  'alter table audit_events drop constraint "an event is created, classified, superseded or restored"',
  `alter table audit_events add
    constraint "an event is of a kind that clients know"
    check (event in ('created', 'classified', 'superseded', 'restored', 'trimmed', 'retracted'))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
