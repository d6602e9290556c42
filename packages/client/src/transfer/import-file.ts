import { createReadStream } from "node:fs";
import { access, constants } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { ApiAddress } from "../program/environment.ts";
import { read, refusalOf, send, type Tell, TransferError } from "./api.ts";
import { type CopyTarget, copiedLine } from "./copied-line.ts";
import { counted, format, linesOf } from "./lines.ts";

export interface ImportOptions extends Pick<CopyTarget, "tenant"> {
  /** Whether the memories get IDs of their own, because the service has theirs already. */
  readonly newIds?: boolean;
}

/**
 * Sends an export from `file`; undefined: from `input`. The service skips memories that it
 * has, so a file can be sent again. Throws a TransferError.
 */
export async function importFile(
  api: ApiAddress,
  { tenant, newIds = false }: ImportOptions,
  file: string | undefined,
  input: Readable,
  tell: Tell,
): Promise<void> {
  if (file !== undefined) await checkReadable(file);
  const account = newIds ? await accountOf(api, tell) : undefined;
  const isCopy = newIds || tenant !== undefined;
  const open = () => {
    const lines = linesOf(file === undefined ? input : createReadStream(file));
    return isCopy ? copied(lines, { tenant, account }) : lines;
  };
  const body = () => counted(open(), (lines) => tell(`${format(lines)} lines sent`));
  const headers = { "content-type": "application/x-ndjson" };
  const request = { method: "POST", path: "/agent/import", headers, body } as const;
  const response = await send(api, { ...request, isRepeatable: file !== undefined }, tell);
  const answer = await read(response);
  const { imported_count: imported, skipped_count: skipped } = answer.body;
  if (imported !== undefined) {
    tell(`imported ${format(imported)}, skipped ${format(skipped)} that were there already`);
  }
  if (!response.ok) throw refusalOf(answer);
}

async function* copied(lines: AsyncIterable<Buffer>, target: CopyTarget): AsyncGenerator<Buffer> {
  let number = 0;
  for await (const line of lines) {
    number++;
    try {
      yield copiedLine(line, target);
    } catch {
      throw new TransferError(`line ${number} is not JSON`);
    }
  }
}

async function accountOf(api: ApiAddress, tell: Tell): Promise<string> {
  const path = "/plan/status";
  const answer = await read(await send(api, { method: "GET", path, isRepeatable: true }, tell));
  if (answer.status !== 200) throw refusalOf(answer);
  return String(answer.body.org_id);
}

/** Throws a TransferError where the file is not to be read. */
export async function checkReadable(file: string): Promise<void> {
  try {
    await access(file, constants.R_OK);
  } catch {
    throw new TransferError(`cannot read ${file}`);
  }
}
