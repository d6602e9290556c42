import { Kysely, type LogEvent, PostgresDialect, sql } from "kysely";
import { Failure } from "../domain/failure.ts";
import { type ConnectionLimits, ConnectionPool } from "./connection-pool.ts";
import type { Exposure } from "./engines/data-folder.ts";
import type { Engine } from "./engines/engine.ts";
import { openPglite } from "./engines/pglite.ts";
import { startMaintenance } from "./engines/pglite-maintenance.ts";
import { openPostgres } from "./engines/postgres.ts";
import { checkServerVersion, migrateToLatest, type ServerVersion } from "./migrate.ts";
import type { Schema } from "./schema.ts";

/** Statements that wait for a connection; further ones are refused as overload. */
const MAX_WAITING_FOR_CONNECTION = 1_000;
const CONNECTION_WAIT_MS = 5_000;
/** Above the statement timeout of engines/postgres.ts. */
const STALL_MS = 15_000;

export type DatabaseLocation =
  | { readonly engine: "pglite"; readonly dataDir: string }
  | { readonly engine: "postgres"; readonly url: string; readonly maxConnections: number };

/** An open, migrated database. */
export interface Database {
  readonly db: Kysely<Schema>;
  readonly engine: "pglite" | "postgres";
  /** For the operator, e.g. `PGlite (PostgreSQL 18.6, pgvector 0.8.7) in ./data`. No password. */
  readonly description: string;
  /** Resolves when the database answers; how long that may take is for the caller to say. */
  ping(): Promise<void>;
  /** Waits for statements in progress. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Sees each statement once it ran or failed. */
  readonly log?: (event: LogEvent) => void;
  readonly limits?: Partial<Omit<ConnectionLimits, "concurrent">>;
  /** Told of a data folder that others than the service's user could use; of PGlite only. */
  readonly onExposed?: (exposure: Exposure) => void;
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
      ? await openPglite(location.dataDir, options.onExposed)
      : openPostgres(location.url, location.maxConnections);
  try {
    const version = await prepare(engine, options);
    return serve(engine, version, options);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Checks and migrates without the limits that requests have. */
async function prepare(engine: Engine, { log }: DatabaseOptions): Promise<ServerVersion> {
  const limits = { concurrent: 1, maxWaiting: 0, waitMs: 0, stallMs: null };
  const db = kyselyOn(new ConnectionPool(engine.pool, limits), log);
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

function serve(engine: Engine, version: ServerVersion, options: DatabaseOptions): Database {
  const limits: ConnectionLimits = {
    concurrent: engine.maxConnections,
    maxWaiting: MAX_WAITING_FOR_CONNECTION,
    waitMs: CONNECTION_WAIT_MS,
    stallMs: STALL_MS,
    ...options.limits,
  };
  const connections = new ConnectionPool(engine.pool, limits);
  const db = kyselyOn(connections, (event) => {
    maintenance?.observe(event);
    options.log?.(event);
  });
  const maintenance = engine.name === "pglite" ? startMaintenance(db, engine.place) : null;
  return {
    db,
    engine: engine.name,
    description: describe(engine, version),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: async () => {
      await maintenance?.stop();
      await connections.end();
      await engine.close();
    },
  };
}

function kyselyOn(pool: ConnectionPool, log: DatabaseOptions["log"]): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), log });
}

function describe(engine: Engine, { postgres, pgvector }: ServerVersion): string {
  return engine.name === "pglite"
    ? `PGlite (PostgreSQL ${postgres}, pgvector ${pgvector}) in ${engine.place}`
    : `PostgreSQL ${postgres}, pgvector ${pgvector} at ${engine.place}`;
}

/** For the operator: what a Failure keeps from callers, and each try of several. */
function reasonOf(error: unknown): string {
  if (error instanceof Failure) return reasonOf(error.cause);
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
