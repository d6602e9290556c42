import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DummyDriver,
  Kysely,
  type LogEvent,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  ERASURE_DELAY_MS,
  MAX_ERASURE_DEFERRAL_MS,
  newMaintenance,
} from "../../../src/storage/engines/pglite-maintenance.ts";
import type { Schema } from "../../../src/storage/schema.ts";

const REWRITE = "vacuum (full, analyze) memories";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agent-memory-maintenance-"));
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** Counts how often the memories were rewritten. */
function startMaintenance() {
  let rewrites = 0;
  const maintenance = newMaintenance(folder, undefined);
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void (query.sql === REWRITE && rewrites++),
  });
  maintenance.start(db);
  const query = { sql: 'delete from "memories" where true' };
  const erase = () =>
    maintenance.observe({ level: "query", query, queryDurationMillis: 1 } as unknown as LogEvent);
  return { maintenance, erase, rewrites: () => rewrites };
}

test("an erasure in many steps is rewritten once, after the last of them", async () => {
  const { maintenance, erase, rewrites } = startMaintenance();
  for (let step = 0; step < 5; step++) {
    erase();
    await vi.advanceTimersByTimeAsync(ERASURE_DELAY_MS - 100);
  }
  expect(rewrites()).toBe(0);
  await vi.advanceTimersByTimeAsync(200);
  expect(rewrites()).toBe(1);
  await vi.advanceTimersByTimeAsync(10 * ERASURE_DELAY_MS);
  expect(rewrites()).toBe(1);
  await maintenance.stop();
});

test("one that never ends is rewritten all the same", async () => {
  const { maintenance, erase, rewrites } = startMaintenance();
  for (let waited = 0; waited <= MAX_ERASURE_DEFERRAL_MS + ERASURE_DELAY_MS; waited += 500) {
    erase();
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(rewrites()).toBeGreaterThan(0);
  await maintenance.stop();
});
