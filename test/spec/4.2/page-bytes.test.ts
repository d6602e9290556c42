/** Pages that end early, because their memories are long (D37). */
import { expect, test } from "vitest";
import { MAX_LIST_LIMIT, MAX_PAGE_TEXT_BYTES } from "../../../src/domain/limits.ts";
import { idsOf, list } from "../calls.ts";
import { rememberLong, textBytesOf } from "../long-memories.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

test.each([
  ["D37 pages: letters of several bytes", "我"],
  ["D37 pages: control characters, which JSON writes as six characters", "\u0001"],
])("%s", async (_, character) => {
  const account = await spec.service.createAccount();
  const ids = await rememberLong(account, character);
  const seen: string[] = [];
  const pages: number[] = [];
  let token: string | null = null;
  do {
    const page = await list(account, {
      limit: String(MAX_LIST_LIMIT),
      ...(token !== null && { page_token: token }),
    });
    token = page.next_page_token;
    const bytes = textBytesOf(page.memories);
    expect(page.count).toBe(page.memories.length);
    expect(bytes).toBeLessThanOrEqual(MAX_PAGE_TEXT_BYTES);
    // One more would have been too much.
    if (token !== null) expect(bytes * (1 + 1 / page.count)).toBeGreaterThan(MAX_PAGE_TEXT_BYTES);
    pages.push(page.count);
    seen.push(...idsOf(page.memories));
  } while (token !== null);
  expect(seen).toEqual(ids.toReversed());
  expect(pages).toHaveLength(2);
});
