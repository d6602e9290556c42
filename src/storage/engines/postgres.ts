import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { INDEX_SETTINGS } from "../account-indexes.ts";
import { columnTypes } from "../column-values.ts";
import { type Engine, PLAN_SETTING } from "./engine.ts";

/** Also how long a pool waits for a server that takes the connection and says nothing. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Below STALL_MS of the connection pool, so that the server ends the statement first. */
const STATEMENT_TIMEOUT_MS = 10_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
/** How soon the server ends a statement whose connection was ended. */
const CONNECTION_CHECK_MS = 50;
const IDLE_CONNECTION_MS = 60_000;
const KEEP_ALIVE_DELAY_MS = 10_000;
/** A server that does not answer a goodbye must not keep the process from ending. */
const CLOSE_TIMEOUT_MS = 5_000;

/** A search keeps 80 bytes of each memory of its scope; beyond this they go to a file. */
const MIN_WORK_MEMORY = "16MB";

/** Compiling costs more than any statement of ours takes. Times are ISO 8601, in UTC. */
const SESSION_SETTINGS = {
  text: `
    set jit = off;
    set time zone 'UTC';
    set datestyle = 'ISO';
    ${INDEX_SETTINGS};
    ${PLAN_SETTING};
    select set_config('work_mem', '${MIN_WORK_MEMORY}', false)
    where pg_size_bytes(current_setting('work_mem')) < pg_size_bytes('${MIN_WORK_MEMORY}')`,
  query_timeout: CONNECT_TIMEOUT_MS,
};

/** Refused where the server's system cannot tell: there such a statement runs to its end. */
const CONNECTION_CHECK = {
  text: `set client_connection_check_interval = ${CONNECTION_CHECK_MS}`,
  query_timeout: CONNECT_TIMEOUT_MS,
};

/** What its connections are called in `pg_stat_activity`. */
export const SERVICE_NAME = "agent-memory";

export function openPostgres(url: string, maxConnections: number): Engine {
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    application_name: SERVICE_NAME,
  };
  const pool = new pg.Pool({
    ...connection,
    max: maxConnections,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    allowExitOnIdle: true,
    // A statement that needs no answer of the one before it is sent with it.
    pipeline: true,
    types: columnTypes,
    onConnect: async (client) => {
      const checked = client.query(CONNECTION_CHECK).catch(() => {});
      await Promise.all([client.query(SESSION_SETTINGS), checked]);
    },
  });
  const longRunning = new Set<pg.Client>();
  const runLong = async (statements: readonly string[]) => {
    const client = new pg.Client(connection);
    client.on("error", () => {});
    longRunning.add(client);
    try {
      await client.connect();
      await client.query(CONNECTION_CHECK).catch(() => {});
      for (const statement of statements) await client.query(statement);
    } finally {
      longRunning.delete(client);
      await client.end().catch(() => {});
    }
  };
  // An idle connection that dies is replaced by the next request; without a
  // listener it would end the process.
  pool.on("error", () => {});
  return {
    name: "postgres",
    pool,
    maxConnections,
    endsStatements: true,
    place: withoutCredentials(url),
    runLong,
    close: async () => {
      // To end one would wait for its statement.
      for (const client of longRunning) client.connection.stream.destroy();
      await Promise.race([pool.end(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

function withoutCredentials(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url });
  return `${host}:${port}/${database}`;
}
