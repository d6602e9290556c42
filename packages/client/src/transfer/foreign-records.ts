import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { strFromU8, unzipSync } from "fflate";
import { jsonIn } from "../json-text.ts";
import { TransferError } from "./api.ts";
import { checkReadable } from "./import-file.ts";

/** A memory of another system, whatever is in it. */
export type ForeignRecord = Readonly<Record<string, unknown>>;

/** A write of `POST /agent/memories:batch`. */
export interface NewMemory {
  readonly content: string;
  readonly topic?: string | undefined;
  readonly tenant_id?: string | undefined;
  readonly session_id?: string | undefined;
  readonly valid_from?: string | undefined;
  readonly valid_to?: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A record as a memory, with notes on what was lost; or the reason why it becomes none. */
export type ReadRecord =
  | { readonly memory: NewMemory; readonly notes: readonly string[] }
  | { readonly leftOut: string }
  | "deleted";

export interface ForeignSystem {
  readonly name: string;
  /** Under which names a file has the list of records. */
  readonly lists: readonly string[];
  /** A record with what the text around it says by name, where it only has IDs. */
  readonly join?: (record: ForeignRecord, whole: ForeignRecord) => ForeignRecord;
  /** `tenant`: the one that the user names; undefined: as the record says. */
  read(record: ForeignRecord, tenant: string | undefined): ReadRecord;
}

/**
 * The records in a file: a list as JSON, by itself or under one of the system's names, several
 * such texts one a line, or one record a line; compressed too. Throws a TransferError.
 */
export async function readRecords(
  file: string,
  { name, lists, join = (record) => record }: ForeignSystem,
): Promise<unknown[]> {
  await checkReadable(file);
  const text = unpacked(await readFile(file), file);
  const whole = jsonIn(text);
  const values = whole === undefined ? parseLines(text, file) : [whole];
  return values.flatMap((value) => {
    const listed = isRecord(value) ? lists.map((list) => value[list]).find(Array.isArray) : value;
    if (Array.isArray(listed)) {
      if (!isRecord(value)) return listed;
      return listed.map((each) => (isRecord(each) ? join(each, value) : each));
    }
    if (values.length > 1 || !isRecord(value)) return [value];
    const names = lists.map((list) => `"${list}"`).join(", ");
    throw new TransferError(`${file} has no list of ${name}'s: neither by itself nor as ${names}`);
  });
}

/** Text that was compressed: more would not be a memory's. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;

/** The text of a file: as it is, of a gzip file, or of the JSON of a zip archive. */
function unpacked(bytes: Uint8Array, file: string): string {
  const [first, second] = bytes;
  try {
    if (first === 0x1f && second === 0x8b) {
      return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }).toString();
    }
    if (first !== 0x50 || second !== 0x4b) return strFromU8(bytes);
    const entries = unzipSync(bytes, {
      filter: ({ name, originalSize }) =>
        name.endsWith(".json") && originalSize <= MAX_UNPACKED_BYTES,
    });
    const [entry] = Object.values(entries);
    if (entry !== undefined) return strFromU8(entry);
  } catch {
    throw new TransferError(`${file} is broken, or has more than ${MAX_UNPACKED_BYTES} bytes`);
  }
  throw new TransferError(`${file} has no JSON file in it`);
}

function parseLines(text: string, file: string): unknown[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const value = jsonIn(line);
    if (value === undefined) throw new TransferError(`${file}: line ${index + 1} is not JSON`);
    return [value];
  });
}

export function isRecord(value: unknown): value is ForeignRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text of a record; undefined: it has none there. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const WITHOUT_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?$/;

/**
 * A time as the service reads it: a day is its beginning, in UTC without an offset; or undefined.
 */
export function timeOf(value: unknown): string | undefined {
  const text = textOf(value)?.trim();
  if (text === undefined) return undefined;
  if (DAY.test(text)) return `${text}T00:00:00Z`;
  return WITHOUT_OFFSET.test(text) ? `${text.replace(" ", "T")}Z` : text.replace(" ", "T");
}

const MAX_METADATA_ENTRIES = 16;
const MAX_KEY_CHARACTERS = 64;
const MAX_TEXT_CHARACTERS = 256;

/** The values that fit into a memory's metadata, and notes on the others. */
export function metadataOf(values: Readonly<Record<string, unknown>>) {
  const metadata: Record<string, string> = {};
  const notes: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === "") continue;
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    const problem = problemOf(key, text, Object.keys(metadata).length);
    if (problem === null) metadata[key] = text;
    else notes.push(`\`${key.slice(0, MAX_KEY_CHARACTERS)}\` was not kept: ${problem}`);
  }
  return { metadata, notes };
}

function problemOf(key: string, text: string, count: number): string | null {
  const isLong = (value: string, most: number) => [...value].length > most;
  if (key === "" || isLong(key, MAX_KEY_CHARACTERS)) return "its name is too long";
  if (isLong(text, MAX_TEXT_CHARACTERS)) return "it is too long";
  return count === MAX_METADATA_ENTRIES ? "there is too much beside it" : null;
}
