import { createHash, randomBytes, randomUUID } from "node:crypto";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { formatApiKey } from "../../src/domain/api-key-format.ts";
import { openPostgres } from "../../src/storage/engines/postgres.ts";
import { MIGRATIONS } from "../../src/storage/migrations/index.ts";
import { PLACEMENTS } from "../../src/storage/placements.ts";
import type { Schema } from "../../src/storage/schema.ts";
import { placeTable } from "../../src/storage/table-placement.ts";

export const WRITES_BEFORE = 3;

/** Runs `work` with a connection that is no server's. */
export async function onDatabase<T>(
  url: string,
  work: (db: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  const { pool, close } = openPostgres(url, 1);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return work(db).finally(close);
}

/** What was there of the tables, each in its place, with an account that has a key and memories. */
export async function distributeAt(
  url: string,
  version: string,
): Promise<{ readonly key: string }> {
  const key = formatApiKey(randomBytes(32));
  const digest = createHash("sha256").update(key).digest();
  await onDatabase(url, async (db) => {
    const provider = { getMigrations: async () => ({ ...MIGRATIONS }) };
    const { error } = await new Migrator({ db, provider }).migrateTo(version);
    if (error !== undefined) throw error;
    await sql`
      insert into accounts (company_id, org_id, plan_tier, plan_status, period_anchor, created_at)
      values ('acme', ${randomUUID()}, 'pro', 'active', now(), now())`.execute(db);
    await sql`
      insert into api_keys (company_id, id, digest, prefix, created_at)
      values ('acme', ${randomUUID()}, ${digest}, ${key.slice(0, 12)}, now())`.execute(db);
    await sql`
      insert into memories (company_id, id, tenant_id, decision, topic, importance_score, source,
        created_at, valid_from, mode)
      select 'acme', gen_random_uuid(), '', 'Fact ' || n, 'General', 5, 'agent', now(), now(),
        'content'
      from generate_series(1, ${WRITES_BEFORE}) as n`.execute(db);
    for (const { table, placement } of PLACEMENTS) {
      const { rows } = await sql`
        select where to_regclass(${table}) is not null`.execute(db);
      if (rows.length === 0 || placement === "coordinator") continue;
      await placeTable(db, table, placement);
    }
  });
  return { key };
}
