import { createReadStream } from "node:fs";
import { access, constants } from "node:fs/promises";
import type { Readable } from "node:stream";
import { type ApiAddress, read, refusalOf, send, type Tell, TransferError } from "./api.ts";
import { counted, linesOf } from "./lines.ts";

/**
 * Sends an export from `file`; undefined: from `input`. The service skips memories that it
 * has, so a file can be sent again. Throws a TransferError.
 */
export async function importFile(
  api: ApiAddress,
  file: string | undefined,
  input: Readable,
  tell: Tell,
): Promise<void> {
  if (file !== undefined) await checkReadable(file);
  const open = () => (file === undefined ? input : createReadStream(file));
  const response = await send(
    api,
    {
      method: "POST",
      path: "/agent/import",
      headers: { "content-type": "application/x-ndjson" },
      body: () => counted(linesOf(open()), (lines) => tell(`${format(lines)} lines sent`)),
      isRepeatable: file !== undefined,
    },
    tell,
  );
  const answer = await read(response);
  const { imported_count: imported, skipped_count: skipped } = answer.body;
  if (imported !== undefined) {
    tell(`imported ${format(imported)}, skipped ${format(skipped)} that were there already`);
  }
  if (!response.ok) throw refusalOf(answer);
}

/** Throws a TransferError where the file is not to be read. */
export async function checkReadable(file: string): Promise<void> {
  try {
    await access(file, constants.R_OK);
  } catch {
    throw new TransferError(`cannot read ${file}`);
  }
}

function format(count: number): string {
  return count.toLocaleString("en");
}
