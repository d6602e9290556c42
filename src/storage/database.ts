import { type LogEvent, sql } from "kysely";
import { FairSemaphore } from "../concurrency/fair-semaphore.ts";
import { ONE_WITHOUT_LIMIT, type PoolLimits, ServiceDb } from "./connection-pool.ts";
import type { Engine } from "./engines/engine.ts";
import { openPglite, type PgliteObserver } from "./engines/pglite.ts";
import { type BackupPiece, copyDatabase } from "./engines/pglite-backup.ts";
import { newMaintenance } from "./engines/pglite-maintenance.ts";
import { openPostgres } from "./engines/postgres.ts";
import { checkServerVersion, migrateToLatest, type ServerVersion } from "./migrate.ts";
import { reasonOf } from "./storage-failure.ts";

/** Statements that wait for a connection; further ones are refused as overload. */
const MAX_WAITING_FOR_CONNECTION = 1_000;
/** More than the streams of an HTTP/2 connection, which a client may open all at once. */
const MAX_WAITING_OF_ACCOUNT = 300;
const CONNECTION_WAIT_MS = 5_000;
/** Above the statement timeout of engines/postgres.ts. */
const STALL_MS = 15_000;

export type DatabaseLocation =
  | { readonly engine: "pglite"; readonly dataDir: string }
  | {
      readonly engine: "postgres";
      readonly url: string;
      readonly maxConnections: number;
    };

export interface Database {
  readonly db: ServiceDb;
  readonly engine: "pglite" | "postgres";
  /** For the operator, e.g. `PGlite (PostgreSQL 18.6, pgvector 0.8.7) in ./data`. No password. */
  readonly description: string;
  /**
   * A copy of the embedded database while it serves, for a folder of its own; null: the
   * database is a server's. One at a time. It has no end of its own: whoever takes it must
   * take the next piece soon, or end it.
   */
  readonly backUp: (() => AsyncGenerator<BackupPiece, void>) | null;
  /** As `Engine.runLong`. */
  readonly runLong: Engine["runLong"];
  /** Resolves when the database answers; how long that may take is for the caller to say. */
  ping(): Promise<void>;
  /** Waits for statements in progress. */
  close(): Promise<void>;
}

/** What it is told of PGlite is told of that engine only. */
export interface DatabaseOptions extends PgliteObserver {
  /** Sees each statement once it ran or failed. */
  readonly log?: (event: LogEvent) => void;
  readonly limits?: Partial<Omit<PoolLimits, "concurrent" | "endsStatements">>;
}

/**
 * Opens a database and brings its schema up to date. Rejects with an Error that
 * tells the operator what to do when it can't be reached, is too old, lacks
 * pgvector, or when another process has the data folder.
 */
export async function openDatabase(
  location: DatabaseLocation,
  options: DatabaseOptions = {},
): Promise<Database> {
  const engine =
    location.engine === "pglite"
      ? await openPglite(location.dataDir, options)
      : openPostgres(location.url, location.maxConnections);
  try {
    const version = await prepare(engine, options);
    return await serve(engine, version, options);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Checks and migrates without the limits that requests have. */
async function prepare(engine: Engine, { log }: DatabaseOptions): Promise<ServerVersion> {
  const db = new ServiceDb(engine.pool, ONE_WITHOUT_LIMIT, log);
  try {
    const version = await checkServerVersion(db);
    await migrateToLatest(db);
    return version;
  } catch (error) {
    throw new Error(`The database ${engine.place} can't be opened: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

async function serve(
  engine: Engine,
  { postgres, pgvector }: ServerVersion,
  options: DatabaseOptions,
): Promise<Database> {
  const limits: PoolLimits = {
    concurrent: engine.maxConnections,
    concurrentPerOwner: FairSemaphore.shareOfAccount(engine.maxConnections),
    maxWaiting: MAX_WAITING_FOR_CONNECTION,
    maxWaitingPerOwner: MAX_WAITING_OF_ACCOUNT,
    waitMs: CONNECTION_WAIT_MS,
    stallMs: STALL_MS,
    endsStatements: engine.endsStatements,
    ...options.limits,
  };
  const maintenance = engine.name === "pglite" ? newMaintenance(engine.place, options.log) : null;
  const db = new ServiceDb(engine.pool, limits, maintenance?.observe ?? options.log);
  maintenance?.start(db);
  return {
    db,
    engine: engine.name,
    description:
      engine.name === "pglite"
        ? `PGlite (PostgreSQL ${postgres}, pgvector ${pgvector}) in ${engine.place}`
        : `PostgreSQL ${postgres}, pgvector ${pgvector} at ${engine.place}`,
    backUp: maintenance && (() => copyDatabase(db, engine.place, maintenance)),
    runLong: engine.runLong,
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: async () => {
      await maintenance?.stop();
      await db.end();
      await engine.close();
    },
  };
}
