import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const LOCK_FILE = "lock";
const SQLITE_BUSY = 5;

/**
 * Locks a folder against every other process and against this one, and returns
 * the function that unlocks it. Two engines on one folder would lose
 * acknowledged writes without a word.
 *
 * The lock is SQLite's on a file of its own, which is a lock of the operating
 * system: it ends with the process, however that ends, so that a stale one needs
 * no takeover and leaves nothing to guess from process IDs, which containers reuse.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  await mkdir(folder, { recursive: true });
  const lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
  try {
    lock.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new Error(`The data folder ${folder} is in use: one service at a time can open it.`);
  }
  return () => lock.close();
}
