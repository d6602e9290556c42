import { type Kysely, sql } from "kysely";

/**
 * What each account's calls of models take on each day; a server of the version before that
 * deletes an account knows nothing of it. Frozen: a later change is a later migration.
 */
const STATEMENTS: readonly string[] = [
  `create table daily_tokens (
    company_id text collate "C" not null references accounts on delete cascade,
    day date not null,
    operation text collate "C" not null,
    calls integer not null
      constraint "calls of models are not negative" check (calls >= 0),
    uncounted_calls integer not null
      constraint "some of the calls are not counted" check (uncounted_calls between 0 and calls),
    input_tokens bigint not null
      constraint "input tokens are not negative" check (input_tokens >= 0),
    output_tokens bigint not null
      constraint "output tokens are not negative" check (output_tokens >= 0),
    primary key (company_id, day, operation)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
