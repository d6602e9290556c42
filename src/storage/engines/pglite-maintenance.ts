import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Kysely, type LogEvent, sql } from "kysely";
import type { Schema } from "../schema.ts";
import { PRIVATE_FILE } from "./data-folder.ts";

const ROUTINE_INTERVAL_MS = 60_000;
/**
 * Statements that write memories, each a batch of up to 25, after which statistics are looked at
 * again. A planner that takes a table for nearly empty may read an account for each row of it.
 */
export const WRITES_A_LOOK = 20;
/** Soon after an erasure, and once for several; each defers it, up to so long in all. */
export const ERASURE_DELAY_MS = 1_000;
export const MAX_ERASURE_DEFERRAL_MS = 10_000;
/** Times as long as the one before took: others wait for each, so they are a small part of the time. */
const ERASURE_PAUSE = 20;
/** In the data folder from an erasure until its text has left the files, across a crash too. */
export const PENDING_FILE = "erasure-pending";

/** A full VACUUM rewrites a table: a plain one leaves bytes of what it removed in the pages. */
const ERASURE_STATEMENTS = [
  "vacuum (full, analyze) memories",
  "vacuum (full, analyze) audit_events",
  "vacuum (full, analyze) idempotency_keys",
  "vacuum (full, analyze) rejected_facts",
  "vacuum (full, analyze) calls",
  "vacuum (analyze) memory_vectors",
  // The log holds the text as well; a file that is no longer needed is removed.
  "select pg_switch_wal()",
  "checkpoint",
];

export type Maintenance = ReturnType<typeof newMaintenance>;

/**
 * What PGlite lacks of a server: its background processes. Once a minute removes dead rows,
 * refreshes statistics and writes a checkpoint; refreshes statistics after many writes, too; soon
 * after memories or rejected facts were deleted rewrites what held their text.
 *
 * Each statement waits for the connection like any request's, so none ever runs
 * inside somebody's transaction. One that fails, or finds too many waiting, is
 * made up for by the next run. No timer keeps the process alive.
 */
export function newMaintenance(dataDir: string, log: ((event: LogEvent) => void) | undefined) {
  const pendingFile = join(dataDir, PENDING_FILE);
  let database: Kysely<Schema> | undefined;
  let running = Promise.resolve();
  let isStopped = false;
  let holds = 0;
  let erasure: NodeJS.Timeout | undefined;
  let erasureMs = 0;
  let erasureDelayMs = ERASURE_DELAY_MS;
  let mayDefer = false;
  let writes = 0;
  let routine: NodeJS.Timeout | undefined;

  async function execute(db: Kysely<Schema>, statements: readonly string[]): Promise<void> {
    for (const statement of statements) {
      if (isStopped) throw new Error("Maintenance stopped");
      await sql.raw(statement).execute(db);
    }
  }

  async function maintain(db: Kysely<Schema>): Promise<void> {
    if (existsSync(pendingFile)) scheduleErasure();
    const tables = await tablesToVacuum(db);
    await execute(db, [...tables.map((table) => `vacuum (analyze) ${table}`), "checkpoint"]);
  }

  async function refreshStatistics(db: Kysely<Schema>): Promise<void> {
    const statements = (await tablesToVacuum(db)).map((table) => `analyze ${table}`);
    await execute(db, statements);
  }

  async function erase(db: Kysely<Schema>): Promise<void> {
    erasureMs = 0;
    await execute(db, ERASURE_STATEMENTS);
    erasureDelayMs = Math.max(ERASURE_DELAY_MS, erasureMs * ERASURE_PAUSE);
    if (erasure === undefined) rmSync(pendingFile, { force: true });
  }

  /** To rewrite what is about to be deleted would hold up others for longer, and twice. */
  function scheduleErasure(): void {
    if (erasure !== undefined) {
      if (mayDefer) erasure.refresh();
      return;
    }
    mayDefer = true;
    setTimeout(() => {
      mayDefer = false;
    }, MAX_ERASURE_DEFERRAL_MS).unref();
    erasure = setTimeout(() => {
      erasure = undefined;
      run(erase);
    }, erasureDelayMs).unref();
  }

  function run(work: (db: Kysely<Schema>) => Promise<void>): void {
    running = running
      .then(() => {
        // An erasure is made up for once nothing holds it.
        if (holds === 0 && database !== undefined) return work(database);
      })
      .catch(() => {});
  }

  return {
    start: (db: Kysely<Schema>) => {
      database = db;
      routine = setInterval(() => run(maintain), ROUTINE_INTERVAL_MS).unref();
      if (existsSync(pendingFile)) scheduleErasure();
    },
    /** To be told of each statement, which it tells the log. */
    observe: (event: LogEvent) => {
      log?.(event);
      if (ERASURE_STATEMENTS.includes(event.query.sql)) erasureMs += event.queryDurationMillis;
      if (WRITE_OF_MEMORIES.test(event.query.sql) && ++writes % WRITES_A_LOOK === 0) {
        run(refreshStatistics);
      }
      if (isStopped || event.level !== "query" || !DELETION_OF_TEXT.test(event.query.sql)) return;
      writeFileSync(pendingFile, "", { mode: PRIVATE_FILE });
      scheduleErasure();
    },
    /** Resolves when no run is in progress. Until the returned function is called there is none. */
    hold: async () => {
      holds++;
      await running;
      return () => {
        holds--;
        if (holds === 0 && !isStopped && existsSync(pendingFile)) scheduleErasure();
      };
    },
    /** Resolves when no run is in progress; no other will start. */
    stop: async () => {
      isStopped = true;
      clearInterval(routine);
      clearTimeout(erasure);
      await running;
    },
  };
}

/**
 * By the rule of Postgres's autovacuum; and tables that grew by half since they were last
 * looked at: what was counted is lost when the engine ends in the middle of a statement.
 */
export async function tablesToVacuum(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ relname: string }>`
    select counted.relname from pg_stat_user_tables as counted
    join pg_class as seen on seen.oid = counted.relid
    where greatest(n_dead_tup, n_mod_since_analyze) > 50 + 0.1 * n_live_tup
      or pg_relation_size(relid) / current_setting('block_size')::int > 10 + 1.5 * seen.relpages`.execute(
    db,
  );
  return rows.map(({ relname }) => relname);
}

/** As `tablesWritten` begins a statement. */
const WRITE_OF_MEMORIES = /^with created as /;

/** As Kysely writes what deletes what somebody wants gone. */
const DELETION_OF_TEXT = /^delete from "(?:memories|rejected_facts)"/;
