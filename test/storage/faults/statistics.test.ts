/** The embedded database has no process of its own that counts what its tables hold. */
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { claimEmbeddingSpaces } from "../../../src/storage/embedding-spaces.ts";
import { WRITES_A_LOOK } from "../../../src/storage/engines/pglite-maintenance.ts";
import { openTestDatabase } from "../../support/database.ts";
import { newCompanyId, newMemory, storeMemories, TEST_SPACE } from "../contract/fixture.ts";

const BATCH = 25;

test("the planner knew of one memory, and soon knows of many", async () => {
  const { database, close } = await openTestDatabase("pglite");
  onTestFinished(close);
  const { db } = database;
  await claimEmbeddingSpaces(db, [TEST_SPACE]);
  const store = (count: number) => {
    const account = newCompanyId();
    return storeMemories(
      db,
      Array.from({ length: count }, () => newMemory(account)),
    );
  };
  await store(1);
  await sql`analyze`.execute(db);
  await store(BATCH * WRITES_A_LOOK);
  await vi.waitFor(async () => {
    const { rows } = await sql<{ known: number }>`
      select reltuples::int as known from pg_catalog.pg_class where relname = 'memories'`.execute(
      db,
    );
    expect(rows[0]?.known).toBeGreaterThanOrEqual(BATCH * WRITES_A_LOOK);
  }, 60_000);
});
