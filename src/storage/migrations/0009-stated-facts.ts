import { type Kysely, sql } from "kysely";

/**
 * When a fact was stated, where that is not its start, and what it is about: the values of
 * one attribute of one subject replace each other however different their words are.
 * Frozen: a later change is a later migration.
 */
const STATEMENTS: readonly string[] = [
  `alter table memories
    add column stated_at timestamptz,
    add column attribute text collate "C"`,
  `create index memories_about_attribute
    on memories (company_id, tenant_id, attribute, id)
    where superseded_at is null and attribute is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
