import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { ApiAddress } from "../program/environment.ts";
import { read, refusalOf, send, type Tell, TransferError } from "./api.ts";
import { counted, format, linesOf } from "./lines.ts";

/** Where the copy of an export goes, and under which IDs. */
interface CopyTarget {
  /** The tenant of all memories; undefined: as each one says. */
  readonly tenant?: string;
  /** The ID of the account where the memories get IDs of their own; undefined: they keep theirs. */
  readonly account?: string;
}

export interface ImportOptions extends Pick<CopyTarget, "tenant"> {
  /** Whether the memories get IDs of their own, because the service has theirs already. */
  readonly newIds?: boolean;
}

/** Sends an export, which can be sent again: what is there is skipped. Throws a TransferError. */
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
  const answer = await read(response, "imported_count");
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

/** Where an export names a memory by its ID, in its history too. */
const MEMORY_IDS = new Set("id memory_id superseded_by superseded candidates by erased".split(" "));
const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** A line of a copy. It is the same each time, so that a copy that broke off is resumed. */
function copiedLine(line: Buffer, { tenant, account }: CopyTarget): Buffer {
  const value: unknown = JSON.parse(line.toString());
  const copied = account === undefined ? value : withNewIds(value, null, `${account} ${tenant}`);
  const isMemory = typeof copied === "object" && copied !== null && "decision" in copied;
  const moved = isMemory && tenant !== undefined ? { ...copied, tenant_id: tenant } : copied;
  return Buffer.from(`${JSON.stringify(moved)}\n`);
}

function withNewIds(value: unknown, name: string | null, place: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withNewIds(each, name, place));
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, each]) => [
      key,
      key === "metadata" ? each : withNewIds(each, key, place),
    ]);
    return Object.fromEntries(members);
  }
  const isId = name !== null && MEMORY_IDS.has(name) && typeof value === "string";
  return isId && UUID_V7.test(value) ? newId(value, place) : value;
}

/** A new ID with the moment of this one, which says when the memory was created. */
function newId(id: string, place: string): string {
  const digest = createHash("sha256").update(`${place} ${id}`).digest("hex");
  return [id.slice(0, 15), digest.slice(0, 3), "-", id[19], digest.slice(3, 6), "-"]
    .concat(digest.slice(6, 18))
    .join("");
}

async function accountOf(api: ApiAddress, tell: Tell): Promise<string> {
  const path = "/plan/status";
  const response = await send(api, { method: "GET", path, isRepeatable: true }, tell);
  const answer = await read(response, "org_id");
  if (answer.status !== 200) throw refusalOf(answer);
  return String(answer.body.org_id);
}

/** Throws a TransferError where the file is not to be read. */
export async function checkReadable(file: string): Promise<void> {
  const found = await access(file, constants.R_OK)
    .then(() => stat(file))
    .catch(() => null);
  if (found?.isDirectory() ?? true) throw new TransferError(`cannot read ${file} as a file`);
}
