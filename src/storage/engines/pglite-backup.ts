import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";
import { DATABASE_FOLDER } from "./pglite.ts";
import { type Maintenance, PENDING_FILE } from "./pglite-maintenance.ts";

/** Of a file, read and handed on at once. */
export const BACKUP_PIECE_BYTES = 256 * 1024;

/** What Postgres makes anew when it starts; of these the folder alone is copied. */
const TRANSIENT_FOLDERS = [
  "pg_dynshmem",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
].map((folder) => `${DATABASE_FOLDER}/${folder}`);
const TRANSIENT_FILES =
  /^(?:postmaster\.(?:pid|opts)|pg_internal\.init.*|pgsql_tmp.*|.*xlogtemp.*)$/;
const LOG_FOLDER = `${DATABASE_FOLDER}/pg_wal`;
const CONTROL_FILE = `${DATABASE_FOLDER}/global/pg_control`;
const LABEL_FILE = `${DATABASE_FOLDER}/backup_label`;

/** A piece of a file; of a folder the name with a slash at its end, and no data. */
export interface BackupPiece {
  /** From the data folder, with slashes. */
  readonly path: string;
  readonly data: Uint8Array<ArrayBuffer>;
}

/**
 * The files of a data folder while its database is written to: those of the tables as they
 * change, and then the log of all that changed meanwhile, from which Postgres makes them
 * one moment's when it opens the copy. Whoever ends the iteration early gives the copy up.
 *
 * The log is needed from its beginning to its end, so there is no checkpoint in between.
 */
export async function* copyDatabase(
  db: Kysely<Schema>,
  dataDir: string,
  maintenance: Maintenance,
): AsyncGenerator<BackupPiece, void> {
  const resume = await maintenance.hold();
  let isRunning = false;
  try {
    // One that could not be ended, for want of a connection.
    await stopBackup(db).catch(() => {});
    await sql`select pg_backup_start('agent-memory', true)`.execute(db);
    isRunning = true;
    const isOfTables = (path: string) =>
      !path.startsWith(`${LOG_FOLDER}/`) && path !== CONTROL_FILE;
    yield { path: `${DATABASE_FOLDER}/`, data: new Uint8Array() };
    yield* copyFolder(dataDir, isOfTables);
    yield* copyFile(dataDir, CONTROL_FILE);
    isRunning = false;
    const label = await stopBackup(db);
    yield { path: LABEL_FILE, data: Buffer.from(label) };
    const log: string[] = [];
    for await (const piece of copyFolder(dataDir, (path) => path.startsWith(`${LOG_FOLDER}/`))) {
      log.push(piece.path);
      yield piece;
    }
    checkLog(label, log);
    // What was erased is to leave the copy's files too.
    yield* copyFile(dataDir, PENDING_FILE);
  } finally {
    if (isRunning) await stopBackup(db).catch(() => {});
    resume();
  }
}

/** What tells Postgres where in the log the copy began. */
async function stopBackup(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ labelfile: string }>`
    select labelfile from pg_backup_stop(false)`.execute(db);
  const label = rows[0]?.labelfile;
  if (label === undefined) throw new Error("the database did not say where the copy began");
  return label;
}

/** Throws where the log does not reach back to where the copy began. */
function checkLog(label: string, copied: readonly string[]): void {
  const first = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(label)?.[1];
  if (first === undefined || !copied.includes(`${LOG_FOLDER}/${first}`)) {
    throw new Error("the database removed a part of its log that the copy needs");
  }
}

async function* copyFolder(
  dataDir: string,
  isWanted: (path: string) => boolean,
  path = `${DATABASE_FOLDER}/`,
): AsyncGenerator<BackupPiece, void> {
  const entries = await readdir(join(dataDir, path), { withFileTypes: true });
  for (const entry of entries) {
    const entryPath = `${path}${entry.name}`;
    if (entry.isDirectory()) {
      if (isWanted(`${entryPath}/`)) yield { path: `${entryPath}/`, data: new Uint8Array() };
      if (!TRANSIENT_FOLDERS.includes(entryPath)) {
        yield* copyFolder(dataDir, isWanted, `${entryPath}/`);
      }
    } else if (isWanted(entryPath) && !TRANSIENT_FILES.test(entry.name)) {
      yield* copyFile(dataDir, entryPath);
    }
  }
}

/** Nothing of a file that is gone: its table was dropped, which the log tells. */
async function* copyFile(dataDir: string, path: string): AsyncGenerator<BackupPiece, void> {
  const file = await open(join(dataDir, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null) return;
  try {
    let isEmpty = true;
    for (;;) {
      // One of its own for each: whoever takes a piece may keep it.
      const piece = Buffer.allocUnsafe(BACKUP_PIECE_BYTES);
      const { bytesRead } = await file.read(piece, 0, BACKUP_PIECE_BYTES);
      if (bytesRead > 0 || isEmpty) yield { path, data: piece.subarray(0, bytesRead) };
      if (bytesRead === 0) return;
      isEmpty = false;
    }
  } finally {
    await file.close();
  }
}
