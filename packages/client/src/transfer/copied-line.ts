import { createHash } from "node:crypto";

/** Where the copy of an export goes, and under which IDs. */
export interface CopyTarget {
  /** The tenant of all memories; undefined: as each one says. */
  readonly tenant?: string;
  /** The ID of the account where the memories get IDs of their own; undefined: they keep theirs. */
  readonly account?: string;
}

/** Where an export names a memory by its ID, in its history too. */
const MEMORY_IDS = new Set([
  "id",
  "memory_id",
  "superseded_by",
  "superseded",
  "candidates",
  "by",
  "erased",
]);
const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/**
 * A line of an export as a copy has it. The same line copied to the same place is the same again,
 * so that a copy that broke off is resumed.
 */
export function copiedLine(line: Buffer, { tenant, account }: CopyTarget): Buffer {
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
