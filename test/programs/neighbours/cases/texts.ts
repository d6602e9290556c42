import { MAX_CONTENT_BYTES } from "../../../../src/domain/limits.ts";
import { type Attacker, repeat } from "../attacker.ts";

/** A text of the longest length, of one sentence again and again. */
export function longText(sentence: string): string {
  const bytes = Buffer.byteLength(sentence);
  return sentence.repeat(Math.floor(MAX_CONTENT_BYTES / bytes));
}

const WRITES_AT_ONCE = 8;

/** Stores so many memories, one by one; returns their IDs. */
export async function store(
  attacker: Attacker,
  count: number,
  contentOf: (index: number) => string,
): Promise<string[]> {
  const ids: string[] = [];
  await repeat(count, WRITES_AT_ONCE, null, async (index) => {
    const body = { content: contentOf(index), auto_supersede: false };
    ids.push((await attacker.must("POST", "/agent/memories", body)).memory_id);
  });
  return ids;
}

export function userMessages(contents: readonly string[]): string {
  return JSON.stringify({ messages: contents.map((content) => ({ role: "user", content })) });
}
