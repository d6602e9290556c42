import { join } from "node:path";
import pg from "pg";
import { columnTypes } from "../column-values.ts";
import type { Engine } from "./engine.ts";
import { lockFolder } from "./folder-lock.ts";
import { PgliteStream } from "./pglite-stream.ts";

/** A first open creates the database; one after a crash replays its log. */
const OPEN_TIMEOUT_MS = 120_000;
const DATABASE_FOLDER = "pglite";

export async function openPglite(dataDir: string): Promise<Engine> {
  const unlock = await lockFolder(dataDir);
  let folderIsFree = Promise.resolve();
  const pool = new pg.Pool({
    max: 1,
    connectionTimeoutMillis: OPEN_TIMEOUT_MS,
    // Kept open for good: to open it again takes half a second.
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
    types: columnTypes,
    ssl: false,
    stream: () => {
      const stream = new PgliteStream({ dataDir: join(dataDir, DATABASE_FOLDER) }, folderIsFree);
      folderIsFree = stream.exited;
      return stream;
    },
  });
  // A worker that dies while idle is replaced by the next request.
  pool.on("error", () => {});
  return {
    name: "pglite",
    pool,
    maxConnections: 1,
    place: dataDir,
    close: async () => {
      await pool.end();
      await folderIsFree;
      unlock();
    },
  };
}
