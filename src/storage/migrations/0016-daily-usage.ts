import { type Kysely, sql } from "kysely";

/** What each account calls on each day. Frozen: a later change is a later migration. */
const STATEMENTS: readonly string[] = [
  `create table daily_usage (
    company_id text collate "C" not null references accounts,
    day date not null,
    rpc text collate "C" not null,
    calls integer not null
      constraint "calls are not negative" check (calls >= 0),
    failures integer not null
      constraint "some of the calls are failures" check (failures between 0 and calls),
    total_ms double precision not null,
    primary key (company_id, day, rpc)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
