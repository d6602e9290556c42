import { isMemoryId, toCompanyId } from "../../domain/ids.ts";
import type { MemoryPosition } from "../../storage/reembedding.ts";
import { writePageToken } from "../page-token.ts";

/** The token of the page behind these memories; null: a page that is not full was the last one. */
export function tokenBehind(memories: readonly MemoryPosition[], pageSize: number): string | null {
  const last = memories.at(-1);
  if (last === undefined || memories.length < pageSize) return null;
  return writePageToken([last.id, last.companyId]);
}

/** The position in a page token; null: it is not a token of these lists. */
export function memoryPosition([id = "", companyId]: readonly string[]): MemoryPosition | null {
  return companyId === undefined || !isMemoryId(id)
    ? null
    : { id, companyId: toCompanyId(companyId) };
}
