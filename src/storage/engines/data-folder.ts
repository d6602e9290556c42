import { chmodSync, existsSync, lstatSync } from "node:fs";
import { mkdir, open, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export const LOCK_FILE = "lock";
const SQLITE_BUSY = 5;

/** For the service's user alone, whatever the umask: memories are nobody else's to read. */
const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;
/** Every permission of whoever is not that user. */
export const FOR_OTHERS = 0o077;

/** Without it the garbage collector would end the lock of whoever keeps only the database. */
const held = new Set<DatabaseSync>();

/** What a folder may hold before there is a database; a file system of its own has the second. */
const EMPTY_FOLDER = [LOCK_FILE, "lost+found"];

/**
 * Locks a folder, which is created where it does not exist, against every other process
 * and against this one, and returns the function that unlocks it. Two engines on one
 * folder would lose acknowledged writes without a word. A folder that holds anything but a
 * `database` is somebody else's, and is refused untouched.
 *
 * The lock is SQLite's on a file of its own, which is a lock of the operating
 * system: it ends with the process, however that ends, so that a stale one needs
 * no takeover and leaves nothing to guess from process IDs, which containers reuse.
 */
export async function lockFolder(folder: string, database: string): Promise<() => void> {
  const file = join(folder, LOCK_FILE);
  try {
    // Never recursive without need: where a folder takes no other, as /proc does, that has no end.
    const recursive = !existsSync(join(folder, ".."));
    if (!existsSync(folder)) await mkdir(folder, { recursive, mode: PRIVATE_FOLDER });
    const entries = await readdir(folder);
    const other = entries.find((name) => !EMPTY_FOLDER.includes(name));
    if (other !== undefined && !entries.some((name) => name.startsWith(database))) {
      throw new Error(`it has other content, such as ${other}: name a new or an empty folder`);
    }
    await (await open(file, "a", PRIVATE_FILE)).close();
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`The data folder ${folder} cannot be used: ${message}`, { cause });
  }
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new Error(`The data folder ${folder} is in use: one service at a time can open it.`);
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}

export interface Exposure {
  /** Files and folders that others were permitted to use, and no longer are. */
  readonly corrected: number;
  /** Those that stay as they are, because they belong to another user. */
  readonly foreign: number;
}

/**
 * Takes from everybody but the service's user what they may do with a folder and with
 * those of the entries in it that exist, down to the last file. The folder may be a link to
 * one elsewhere; links in it are not followed.
 */
export async function keepPrivate(folder: string, entries: readonly string[]): Promise<Exposure> {
  const exposure = { corrected: 0, foreign: 0 };
  // From the outside in: once a folder is closed, nobody gets at the rest meanwhile.
  closeToOthers(await realpath(folder), exposure);
  for (const entry of entries) {
    const path = join(folder, entry);
    closeToOthers(path, exposure);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    const options = { recursive: true, withFileTypes: true } as const;
    for (const { parentPath, name } of await readdir(path, options)) {
      closeToOthers(join(parentPath, name), exposure);
    }
  }
  return exposure;
}

/** Not a promise for each of a thousand files, which would be a third of a start. */
function closeToOthers(
  path: string,
  exposure: { -readonly [outcome in keyof Exposure]: number },
): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink() || (found.mode & FOR_OTHERS) === 0) return;
  try {
    chmodSync(path, found.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE);
    exposure.corrected++;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
    exposure.foreign++;
  }
}
