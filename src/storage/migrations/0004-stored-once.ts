import { type Kysely, sql } from "kysely";

/**
 * A text that a memory has three times is stored once. Frozen: a later change is a
 * later migration.
 *
 * Responses kept for idempotency keys become messages in protobuf. Those kept so
 * far were in a form of the program's own, which it can no longer read: they go,
 * and with them the keys of calls of the last 24 hours.
 */
const STATEMENTS: readonly string[] = [
  "alter table memories alter column summary drop not null",
  "alter table memories alter column original_message drop not null",
  "delete from idempotency_keys",
  "alter table idempotency_keys drop column response",
  "alter table idempotency_keys add column response bytea",
  "alter table idempotency_keys add column quota_exceeded_until timestamptz",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
