import { createWriteStream, existsSync, lstatSync } from "node:fs";
import { realpath, rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ApiAddress } from "../program/environment.ts";
import { NO_SERVICE, read, refusalOf, send, type Tell, TransferError } from "./api.ts";
import { counted, format, LINE_END, linesOf } from "./lines.ts";

export interface ExportOptions {
  /** Left out: the default tenant. */
  readonly tenant?: string;
  readonly wholeAccount?: boolean;
}

/** The beginning of every export. */
const FORMAT = Buffer.from('{"format":"agent-memory"');
const BROKE_OFF = "the export broke off before its end; export again";

/** The beginning of the line that ends an export with an error. */
const ERROR = Buffer.from('{"error":');

/**
 * Writes an export to `file`; undefined: to `output`. A regular file is there once it is whole,
 * for the current user alone; a FIFO or a device is written as it comes. Throws a TransferError.
 */
export async function exportFile(
  api: ApiAddress,
  { tenant, wholeAccount }: ExportOptions,
  file: string | undefined,
  output: Writable,
  tell: Tell,
): Promise<void> {
  const path = file === undefined ? null : await realpath(file).catch(() => resolve(file));
  const found = path === null ? undefined : lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new TransferError(`${path} is a folder, not a file`);
  if (path !== null && !existsSync(dirname(path))) throw new TransferError(`${path} has no folder`);
  const query = new URLSearchParams({
    ...(tenant !== undefined && { tenant_id: tenant }),
    ...(wholeAccount && { whole_account: "true" }),
  });
  const request = { method: "GET", path: `/agent/export?${query}`, isRepeatable: true } as const;
  const response = await send(api, request, tell);
  if (!response.ok || response.body === null) throw refusalOf(await read(response, "format"));
  const done = { count: 0 };
  const progress = (count: number) => tell(`${format(count)} lines`);
  const lines = counted(wholeLines(response.body), progress, done);
  const isRenamed = path !== null && (found?.isFile() ?? true);
  const written = isRenamed ? `${path}.part` : path;
  const target = written === null ? output : createWriteStream(written, { mode: 0o600 });
  try {
    await pipeline(lines, target, { end: path !== null });
  } catch (error) {
    // As `fetch` reports a connection that ended too early.
    throw error instanceof TypeError ? new TransferError(BROKE_OFF) : error;
  }
  if (isRenamed) await rename(`${path}.part`, path);
  tell(`exported ${format(done.count - 1)} memories`);
}

async function* wholeLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let isEmpty = true;
  for await (const line of linesOf(stream)) {
    if (beginsWith(line, ERROR)) {
      const { error } = JSON.parse(line.toString());
      throw new TransferError(`the export broke off: ${error.detail} (${error.reason})`);
    }
    if (isEmpty && !beginsWith(line, FORMAT)) throw new TransferError(NO_SERVICE);
    if (line.at(-1) !== LINE_END) throw new TransferError(BROKE_OFF);
    isEmpty = false;
    yield line;
  }
  if (isEmpty) throw new TransferError(BROKE_OFF);
}

function beginsWith(line: Buffer, beginning: Buffer): boolean {
  return line.subarray(0, beginning.length).equals(beginning);
}
