import { MAX_CONTENT_BYTES, MAX_PAGE_TEXT_BYTES } from "../../src/domain/limits.ts";
import type { TestAccount } from "../support/service.ts";
import { remember } from "./calls.ts";

/** Memories of the longest texts, over a page: each has its text three times. */
export const OVER_A_PAGE = Math.ceil((1.2 * MAX_PAGE_TEXT_BYTES) / (3 * MAX_CONTENT_BYTES));

/** More memories than are one page, of the character alone; their IDs in the order of writing. */
export async function rememberLong(account: TestAccount, character: string): Promise<string[]> {
  const text = character.repeat(MAX_CONTENT_BYTES / Buffer.byteLength(character));
  const ids: string[] = [];
  for (let count = 0; count < OVER_A_PAGE; count++) ids.push(await remember(account, text));
  return ids;
}

interface Texts {
  readonly summary: string;
  readonly decision: string;
  readonly topic: string;
  readonly source_citation: { readonly original_message: string };
}

/** As D37 counts it. */
export function textBytesOf(memories: readonly Texts[]): number {
  return memories
    .flatMap((memory) => [
      memory.summary,
      memory.decision,
      memory.topic,
      memory.source_citation.original_message,
    ])
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
