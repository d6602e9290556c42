import { existsSync } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import type { AdminClient, Shell } from "./client.ts";

/** Only the current user has access, as with the folder of the database. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const PROGRESS_STEP_BYTES = 64 * 1024 * 1024;
const MIB = 1024 * 1024;
/** A copy may take long. The service gives it up when nobody reads it. */
const NO_DEADLINE = 0;

/** `backup`. */
export function addBackupCommand({ admin, run, progress }: Shell): void {
  admin
    .command("backup")
    .description(
      "Copy the embedded database into a new folder while the service runs. To restore it, start " +
        "a service with DATA_DIR on a copy of that folder.",
    )
    .argument("<FOLDER>", "Where the copy is to be; it must not exist.")
    .action((folder: string) => run((client) => backUp(client, folder, progress)));
}

/** Writes under another name until the copy is complete, so that a folder of the name is complete. */
async function backUp({ backups }: AdminClient, folder: string, progress: (line: string) => void) {
  if (existsSync(folder)) throw new Error(`${folder} exists already`);
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  // Never recursive without need: where a folder takes no other, as /proc does, that has no end.
  await mkdir(unfinished, { recursive: !existsSync(dirname(folder)), mode: PRIVATE_FOLDER });
  try {
    const pieces = backups.createBackup({}, { timeoutMs: NO_DEADLINE });
    const bytes = await writeFiles(pieces, unfinished, progress);
    await rename(unfinished, folder);
    const parent = await open(dirname(folder));
    await parent.sync().finally(() => parent.close());
    return `copied ${inMib(bytes)} to ${folder}`;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the number of bytes. Throws an Error when the last piece is missing. */
async function writeFiles(
  pieces: ReturnType<AdminClient["backups"]["createBackup"]>,
  folder: string,
  progress: (line: string) => void,
): Promise<number> {
  let file: { readonly path: string; readonly handle: FileHandle } | null = null;
  let bytes = 0;
  try {
    for await (const { path, data, isLast } of pieces) {
      if (file !== null && file.path !== path) {
        await file.handle.datasync();
        await file.handle.close();
        file = null;
      }
      if (isLast) return bytes;
      const target = pathIn(folder, path);
      if (path.endsWith("/")) await mkdir(target, { recursive: true, mode: PRIVATE_FOLDER });
      else {
        file ??= { path, handle: await open(target, "wx", PRIVATE_FILE) };
        await file.handle.writeFile(data);
      }
      const steps = Math.floor(bytes / PROGRESS_STEP_BYTES);
      bytes += data.length;
      if (Math.floor(bytes / PROGRESS_STEP_BYTES) > steps) progress(`copied ${inMib(bytes)}`);
    }
  } finally {
    await file?.handle.close();
  }
  throw new Error("the service ended the copy before it was whole");
}

/** Throws an Error for a path outside of the folder: the service must not choose others. */
function pathIn(folder: string, path: string): string {
  const parts = path.replace(/\/$/, "").split("/");
  if (parts.some((part) => ["", ".", ".."].includes(part) || part.includes(sep))) {
    throw new Error(`the service named a file outside of the copy: ${JSON.stringify(path)}`);
  }
  return join(folder, ...parts);
}

function inMib(bytes: number): string {
  return `${Math.round(bytes / MIB).toLocaleString("en")} MiB`;
}
