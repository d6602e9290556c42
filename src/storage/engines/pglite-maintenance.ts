import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";

const INTERVAL_MS = 5 * 60_000;
/** Soon after a deletion, and once for many of them. */
const AFTER_DELETION_MS = 1_000;

/**
 * What a server's background processes do and PGlite has none of: remove dead
 * rows, refresh statistics, write a checkpoint. After a deletion it also rewrites
 * the tables and starts a new log file, so that erased text leaves the disk.
 *
 * Each statement waits for the connection like any request, so none ever runs
 * inside somebody's transaction.
 */
export interface Maintenance {
  readonly onRowsDeleted: () => void;
  runOn(db: Kysely<Schema>): void;
  /** Resolves when no run is in progress, and starts no other. */
  stop(): Promise<void>;
}

const ROUTINE = ["vacuum (analyze)", "checkpoint"];
const TABLES_WITH_TEXT = ["memories", "memory_vectors", "audit_events", "idempotency_keys"];
const ERASURE = [
  ...TABLES_WITH_TEXT.map((table) => `vacuum (full, analyze) ${table}`),
  "select pg_switch_wal()",
  "checkpoint",
];

export function startMaintenance(): Maintenance {
  let db: Kysely<Schema> | undefined;
  let running = Promise.resolve();
  let isStopped = false;
  const routine = setInterval(() => run(ROUTINE), INTERVAL_MS).unref();
  let erasure: NodeJS.Timeout | undefined;

  function run(statements: readonly string[]): void {
    running = running.then(async () => {
      for (const statement of statements) {
        if (db === undefined || isStopped) return;
        // A run that fails or finds no turn is made up for by the next one.
        await sql
          .raw(statement)
          .execute(db)
          .catch(() => {});
      }
    });
  }

  return {
    onRowsDeleted: () => {
      if (isStopped || erasure !== undefined) return;
      erasure = setTimeout(() => {
        erasure = undefined;
        run(ERASURE);
      }, AFTER_DELETION_MS).unref();
    },
    runOn: (database) => {
      db = database;
    },
    stop: async () => {
      isStopped = true;
      clearInterval(routine);
      clearTimeout(erasure);
      await running;
    },
  };
}
