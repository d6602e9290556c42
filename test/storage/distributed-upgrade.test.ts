/** A distributed database (Citus) of an earlier version, on which servers of this one start. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { describe, expect, onTestFinished, test } from "vitest";
import { ReviewService } from "../../gen/agentmemory/dashboard/v1/review_service_pb.ts";
import { formatApiKey } from "../../src/domain/api-key-format.ts";
import { distributeDatabase } from "../../src/storage/distribution.ts";
import { openPostgres } from "../../src/storage/engines/postgres.ts";
import { MIGRATIONS } from "../../src/storage/migrations/index.ts";
import { PLACEMENTS } from "../../src/storage/placements.ts";
import type { Executor, Schema } from "../../src/storage/schema.ts";
import { placeTable } from "../../src/storage/table-placement.ts";
import { clientOf, PAGE_HEADERS, signIn } from "../support/dashboard-client.ts";
import { IS_DISTRIBUTED, newUndistributedDatabase } from "../support/database.ts";
import { createRestClient } from "../support/rest-client.ts";
import { startTestService } from "../support/service.ts";
import { schemaText } from "./schema-text.ts";

const WRITES_BEFORE = 3;

/** Runs `work` with a connection that is no server's. */
async function onDatabase<T>(url: string, work: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
  const { pool, close } = openPostgres(url, 1);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return work(db).finally(close);
}

/** What was there of the tables, each in its place, with an account that has a key and memories. */
async function distributeAt(url: string, version: string): Promise<{ readonly key: string }> {
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

describe.runIf(IS_DISTRIBUTED)("a distributed database of an earlier version", () => {
  test.for(["0017-decisions", "0018-daily-tokens", "0019-rejected-facts"])(
    "%s: servers that start on it, several at once, put what is new where it belongs",
    async (version) => {
      const { url, ...place } = await newUndistributedDatabase();
      onTestFinished(place.remove);
      const { key } = await distributeAt(url, version);
      const services = await Promise.all([
        startTestService({ place }),
        startTestService({ place }),
      ]);

      for (const service of services) {
        const before = createRestClient(service.url, key);
        expect((await before("GET", "/agent/memories")).body.count).toBe(WRITES_BEFORE);
        const account = await service.createAccount();
        const body = {
          messages: [{ role: "user", content: "I live in Oslo. Forget that I ski." }],
        };
        expect(await account.rest("POST", "/agent/memories", { body })).toMatchObject({
          status: 200,
          body: { saved_count: 1, rejected: [{}] },
        });
        const headers = { ...PAGE_HEADERS, cookie: await signIn(service, account) };
        const review = clientOf(ReviewService, service, headers);
        expect((await review.listRejectedFacts({})).rejectedFacts).toHaveLength(1);
      }
      for (const service of services) await service.close();

      const reports = await distributeDatabase(url);
      expect(reports.filter(({ rowsMoved }) => rowsMoved !== null)).toEqual([]);
      await onDatabase(url, async (db) => {
        const schema = await schemaText(db as Executor);
        await expect(schema).toMatchFileSnapshot("../golden/schema.txt");
      });
    },
  );
});
