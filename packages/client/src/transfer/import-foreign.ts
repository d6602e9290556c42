import { createHash } from "node:crypto";
import type { ApiAddress } from "../program/environment.ts";
import { type ApiAnswer, read, refusalOf, send, type Tell } from "./api.ts";
import {
  type ForeignSystem,
  isRecord,
  type NewMemory,
  readRecords,
  textOf,
} from "./foreign-records.ts";
import { format } from "./lines.ts";

export interface ForeignImportOptions {
  /** Left out: as each record says. */
  readonly tenant?: string;
  /** The first record to import, counted from 1. */
  readonly from: number;
}

const NO_OBJECT = { leftOut: "it is not an object" };
const MEMORIES_A_BATCH = 100;
/** Below the limit of a body. */
const BYTES_A_BATCH = 512 * 1024;

/** A record as a memory, and how it is called in what the user is told. */
interface Entry {
  /** Counted from 1. */
  readonly number: number;
  readonly name: string;
  readonly memory: NewMemory;
}

/**
 * Writes the records of another system in a file as memories, some at a time. Each such
 * request has an idempotency key that its content gives: within a day the same file can be
 * imported again, and what was imported of it stays as it is. A record that can't be
 * imported is named and left out. Throws a TransferError that says where to go on.
 */
export async function importForeign(
  api: ApiAddress,
  system: ForeignSystem,
  file: string,
  { tenant, from }: ForeignImportOptions,
  tell: Tell,
) {
  const records = await readRecords(file, system);
  // Those that were deleted there are none to import.
  const done = { imported: 0, leftOut: 0, deleted: 0 };
  const leaveOut = (name: string, why: string) => {
    done.leftOut++;
    tell(`${name} was left out: ${why}`);
  };
  const entries = records.slice(from - 1).flatMap((record, index): Entry[] => {
    const number = from + index;
    const name = nameOf(number, record);
    const found = isRecord(record) ? system.read(record, tenant) : NO_OBJECT;
    if (found === "deleted") done.deleted++;
    else if ("leftOut" in found) leaveOut(name, found.leftOut);
    else {
      for (const note of found.notes) tell(`${name}: ${note}`);
      return [{ number, name, memory: found.memory }];
    }
    return [];
  });
  for (const batch of inBatches(entries)) {
    await importBatch(batch);
    tell(`imported ${format(done.imported)} of ${format(records.length)}`);
  }
  return done;

  async function importBatch(batch: readonly Entry[]): Promise<void> {
    for (let rest = batch; rest.length > 0; ) {
      const answer = await write(api, system, rest, tell);
      done.imported += answer.body.saved_count ?? 0;
      if (answer.status === 200) return;
      // Which one the service refused, or -1: it is about something else.
      const [, index = "-1"] = /^`memories\[(\d+)\]/.exec(String(answer.body.detail)) ?? [];
      const refused = answer.status === 422 ? rest[Number(index)] : undefined;
      if (refused === undefined) {
        const next = rest[answer.body.saved_count ?? 0];
        tell(`stopped before ${next?.name}; to go on there: --from ${next?.number}`);
        throw refusalOf(answer);
      }
      leaveOut(refused.name, answer.body.detail);
      rest = rest.filter((entry) => entry !== refused);
    }
  }
}

function nameOf(number: number, record: unknown): string {
  const id = isRecord(record) ? (textOf(record.id) ?? textOf(record.uuid)) : undefined;
  return id === undefined ? `record ${number}` : `record ${number} (${id.slice(0, 64)})`;
}

function* inBatches(entries: readonly Entry[]): Generator<Entry[]> {
  let batch: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const more = Buffer.byteLength(JSON.stringify(entry.memory));
    if (batch.length === MEMORIES_A_BATCH || (batch.length > 0 && bytes + more > BYTES_A_BATCH)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}

async function write(
  api: ApiAddress,
  system: ForeignSystem,
  batch: readonly Entry[],
  tell: Tell,
): Promise<ApiAnswer> {
  const common = { source: system.name.toLowerCase(), auto_supersede: false };
  const body = JSON.stringify({ memories: batch.map(({ memory }) => ({ ...memory, ...common })) });
  const digest = createHash("sha256").update(body).digest("hex");
  const key = { "idempotency-key": `${system.name}-${digest}` };
  const headers = { "content-type": "application/json", ...key };
  const request = { method: "POST", headers, body: () => body, isRepeatable: true } as const;
  const response = await send(api, { ...request, path: "/agent/memories:batch" }, tell);
  return read(response, "saved_count");
}
