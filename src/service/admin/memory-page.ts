import { invalidField } from "../../domain/failure.ts";
import { isMemoryId, toCompanyId } from "../../domain/ids.ts";
import type { MemoryPosition } from "../../storage/reembedding.ts";

/** Which page of all memories. */
export interface MemoryPageRequest {
  readonly pageSize: number;
  /** undefined: the first. */
  readonly pageToken?: string;
}

const UUID_CHARACTERS = 36;

/** The token of the page behind these memories; null: they were the last ones. */
export function nextPageToken(
  memories: readonly MemoryPosition[],
  pageSize: number,
): string | null {
  const last = memories.at(-1);
  return last === undefined || memories.length < pageSize ? null : write(last);
}

/** Where a page starts; null: at the start. Throws `invalid_field`. */
export function readPageToken(token: string | undefined): MemoryPosition | null {
  if (token === undefined) return null;
  const text = Buffer.from(token, "base64url").toString("utf8");
  const id = text.slice(0, UUID_CHARACTERS);
  const companyId = toCompanyId(text.slice(UUID_CHARACTERS));
  if (!isMemoryId(id) || write({ id, companyId }) !== token || text.includes("\0")) {
    throw invalidField("page_token", "must be the `next_page_token` of an earlier answer");
  }
  return { id, companyId };
}

function write({ id, companyId }: MemoryPosition): string {
  return Buffer.from(`${id}${companyId}`, "utf8").toString("base64url");
}
