import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import pg from "pg";
import { columnTypes } from "../column-values.ts";
import { type Exposure, keepPrivate, LOCK_FILE, lockFolder } from "./data-folder.ts";
import { type Engine, PLAN_SETTING } from "./engine.ts";
import { PENDING_FILE } from "./pglite-maintenance.ts";
import { PgliteStream } from "./pglite-stream.ts";

/**
 * What V8's optimizing compiler is told to leave alone: WebAssembly. For a single function of
 * Postgres it takes 500 MiB, at each start, and what it makes of all others takes 70 MiB
 * for good; statements are as quick without it, but for the search over many vectors,
 * which takes twice as long. Set before PGlite is loaded, for the whole process.
 */
const WASM_FLAGS = ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"];
/** A first open creates the database; one after a crash replays its log. */
const OPEN_TIMEOUT_MS = 120_000;
/** In the data folder. */
export const DATABASE_FOLDER = "pglite";
const UNFINISHED_FOLDER = "pglite.unfinished";

/** What the operator wants to know of while a database is opened. */
export interface PgliteObserver {
  /** Told of a folder that others than the service's user could use. */
  readonly onExposed?: (exposure: Exposure) => void;
  /** Told that there is none yet in the folder, before it is created, which takes seconds. */
  readonly onCreate?: (dataDir: string) => void;
}

/**
 * The embedded database in a folder, which is created where it does not exist.
 * What it acknowledged survives the end of the process, however that ends; it
 * does not wait for the disk, so that the machine's end can lose the last writes.
 *
 * The folder is for the service's user alone.
 */
export async function openPglite(
  dataDir: string,
  { onExposed, onCreate }: PgliteObserver = {},
): Promise<Engine> {
  for (const flag of WASM_FLAGS) setFlagsFromString(flag);
  const unlock = await lockFolder(dataDir, DATABASE_FOLDER);
  try {
    // Postgres takes the permissions of its files from those of the folder they are in.
    const exposure = await keepPrivate(dataDir, [LOCK_FILE, PENDING_FILE, DATABASE_FOLDER]);
    if (exposure.corrected + exposure.foreign > 0) onExposed?.(exposure);
    await createDatabase(dataDir, { onCreate });
  } catch (error) {
    unlock();
    throw error;
  }
  const { pool, closed } = poolOf(join(dataDir, DATABASE_FOLDER));
  return {
    name: "pglite",
    pool,
    maxConnections: 1,
    // The database would end with it.
    endsStatements: false,
    runLong: null,
    place: dataDir,
    close: async () => {
      await pool.end();
      await closed();
      unlock();
    },
  };
}

/**
 * Created under another name: a process that ends while it creates a database
 * leaves one that can't be opened, and nobody would know that nothing is in it.
 * And in a thread of its own, which takes its 300 MiB with it.
 */
async function createDatabase(dataDir: string, { onCreate }: PgliteObserver): Promise<void> {
  const folder = join(dataDir, DATABASE_FOLDER);
  if (existsSync(folder)) return;
  onCreate?.(dataDir);
  const unfinished = join(dataDir, UNFINISHED_FOLDER);
  await rm(unfinished, { recursive: true, force: true });
  const { pool, closed } = poolOf(unfinished);
  try {
    await pool.query("select 1");
  } finally {
    await pool.end();
    await closed();
  }
  // A new database is unpacked with permissions of its own.
  await keepPrivate(dataDir, [UNFINISHED_FOLDER]);
  await rename(unfinished, folder);
}

/** One connection at a time; `closed` resolves when the folder is in nobody's use. */
function poolOf(folder: string): { pool: pg.Pool; closed: () => Promise<void> } {
  let folderIsFree = Promise.resolve();
  const pool = new pg.Pool({
    max: 1,
    connectionTimeoutMillis: OPEN_TIMEOUT_MS,
    // Kept open for good: to open it again takes half a second.
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
    // A transaction waits for no turn of the event loop between two statements sent together.
    pipeline: true,
    types: columnTypes,
    ssl: false,
    onConnect: (client) => client.query({ text: PLAN_SETTING }),
    stream: () => {
      const stream = new PgliteStream(folder, folderIsFree);
      folderIsFree = stream.exited;
      return stream;
    },
  });
  // A worker that dies while idle is replaced by the next request.
  pool.on("error", () => {});
  return { pool, closed: () => folderIsFree };
}
