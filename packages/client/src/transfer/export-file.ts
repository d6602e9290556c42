import { createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ApiAddress } from "../program/environment.ts";
import { read, refusalOf, send, type Tell, TransferError } from "./api.ts";
import { counted, format, linesOf } from "./lines.ts";

export interface ExportOptions {
  /** Left out: the default tenant. */
  readonly tenant?: string;
  readonly wholeAccount?: boolean;
}

/** The beginning of the line that ends an export with an error. */
const ERROR = Buffer.from('{"error":');

/**
 * Writes an export to `file`, which is there once it is whole; undefined: to `output`. Throws
 * a TransferError.
 */
export async function exportFile(
  api: ApiAddress,
  { tenant, wholeAccount }: ExportOptions,
  file: string | undefined,
  output: Writable,
  tell: Tell,
): Promise<void> {
  const query = new URLSearchParams({
    ...(tenant !== undefined && { tenant_id: tenant }),
    ...(wholeAccount && { whole_account: "true" }),
  });
  const path = query.size === 0 ? "/agent/export" : `/agent/export?${query}`;
  const response = await send(api, { method: "GET", path, isRepeatable: true }, tell);
  if (!response.ok || response.body === null) throw refusalOf(await read(response));
  let count = 0;
  const lines = counted(
    wholeLines(response.body),
    (lines) => tell(`${format(lines)} lines`),
    (lines) => {
      count = lines;
    },
  );
  const unfinished = file === undefined ? null : `${file}.part`;
  const target = unfinished === null ? output : createWriteStream(unfinished);
  try {
    await pipeline(lines, target, { end: unfinished !== null });
  } catch (error) {
    // As `fetch` reports a connection that ended too early.
    const isBrokenOff = error instanceof Error && error.message === "terminated";
    if (!(error instanceof TypeError) && !isBrokenOff) throw error;
    throw new TransferError("the export broke off before its end; export again");
  }
  if (file !== undefined && unfinished !== null) await rename(unfinished, file);
  tell(`exported ${format(count)} lines`);
}

async function* wholeLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const line of linesOf(stream)) {
    if (line.subarray(0, ERROR.length).equals(ERROR)) {
      const { error } = JSON.parse(line.toString());
      throw new TransferError(`the export broke off: ${error.detail} (${error.reason})`);
    }
    yield line;
  }
}
