import { type Kysely, sql } from "kysely";

/**
 * A key whose response was erased stays known, so that its repeat writes nothing.
 * Frozen: a later change is a later migration.
 */
const STATEMENTS: readonly string[] = [
  "alter table idempotency_keys add column is_erased boolean not null default false",
  `alter table idempotency_keys add constraint "nothing of an erased response is kept"
    check (not is_erased
      or num_nonnulls(response, quota_exceeded_until, text_of_tenant_id) = 0)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
