/** The order of the list, its limit and its pages (D22, D34). */
import { beforeAll, expect, test } from "vitest";
import {
  DEFAULT_LIST_LIMIT,
  MAX_LIST_LIMIT,
  MAX_PAGE_TEXT_BYTES,
} from "../../../src/domain/limits.ts";
import type { TestAccount } from "../../support/service.ts";
import {
  expectInvalid,
  expectOk,
  idsOf,
  list,
  listIds,
  remember,
  rememberMany,
  supersede,
  unique,
  write,
} from "../calls.ts";
import { rememberLong, textBytesOf } from "../long-memories.ts";
import { type Spec, useSpec } from "../spec.ts";

const spec = useSpec();

let reader: TestAccount;
/** With one memory, for tests that only read. */
beforeAll(async () => {
  reader = await spec.service.createAccount();
  await remember(reader);
});

test("D22: newest first by `created_at`, then by ID", async () => {
  const account = await spec.service.createAccount();
  const atOnce = await rememberAtOnce(spec, account, 5);
  const last = await remember(account, "Last", { valid_from: "1990-01-01T00:00:00Z" });
  expect(await listIds(account)).toEqual([last, ...atOnce.toSorted().toReversed()]);
});

test("4.2 parameter limit, 8 limit list limit: 100 by default, 1 to 1,000", async () => {
  const account = await spec.service.createAccount();
  const ids = (await rememberAtOnce(spec, account, DEFAULT_LIST_LIMIT + 1)).toReversed();
  expect(DEFAULT_LIST_LIMIT).toBe(100);
  const byDefault = await list(account);
  expect(byDefault.count).toBe(100);
  expect(idsOf(byDefault.memories)).toEqual(ids.slice(0, 100));
  expect(await listIds(account, { limit: "1" })).toEqual(ids.slice(0, 1));
  expect(await listIds(account, { limit: String(MAX_LIST_LIMIT) })).toEqual(ids);
  const rest = await list(account, { page_token: byDefault.next_page_token });
  expect(idsOf(rest.memories)).toEqual(ids.slice(100));
  expect(rest.next_page_token).toBeNull();
});

test("D34: pages are stable while others write, supersede and erase", async () => {
  const account = await spec.service.createAccount();
  const ids = [...(await rememberAtOnce(spec, account, 7)), ...(await rememberMany(account, 6))];
  await remember(account, "Of another tenant", { tenant_id: "acme" });
  const seen: string[] = [];
  let token: string | null = null;
  do {
    const page = await list(account, {
      include_superseded: "true",
      limit: "3",
      ...(token !== null && { page_token: token }),
    });
    seen.push(...idsOf(page.memories));
    token = page.next_page_token;
    const newer = await remember(account, "Written between two pages");
    await rememberAtOnce(spec, account, 2);
    for (const id of [seen.at(-1), ids[0], ids[1], ids[5]]) {
      if (id !== undefined) await supersede(account, id, { superseded_by: newer });
    }
    await account.rest("DELETE", "/agent/memories", { query: { tenant_id: "acme" } });
  } while (token !== null);
  expect(seen).toEqual(ids.toReversed());
});

test("D34: the limit may change from page to page, the filters may not", async () => {
  const account = await spec.service.createAccount();
  const ids = (await rememberAtOnce(spec, account, 5)).toReversed();
  const { next_page_token: page_token } = await list(account, { limit: "1" });
  expect(await listIds(account, { page_token, limit: "3" })).toEqual(ids.slice(1, 4));
  for (const [name, value] of [
    ["tenant_id", "acme"],
    ["source", "agent"],
    ["include_superseded", "true"],
    ["as_of", "2024-01-01T00:00:00Z"],
  ] as const) {
    const query = { page_token, [name]: value };
    const answer = await account.rest("GET", "/agent/memories", { query });
    expectInvalid(answer, "page_token");
  }
});

test("D34: a token shows nothing of another account", async () => {
  const [one, other] = [await spec.service.createAccount(), await spec.service.createAccount()];
  await rememberAtOnce(spec, one, 3);
  const ids = (await rememberAtOnce(spec, other, 2)).toReversed();
  const { next_page_token: page_token } = await list(one, { limit: "1" });
  const found = await listIds(other, { page_token });
  expect(ids).toEqual(expect.arrayContaining(found));
});

const NOW = "2024-01-01T00:00:00.000000Z";
const FILTERS = "[null,null,false,null]";
test.each([
  ["D34: an empty token", ""],
  ["D34: a forged token with a broken ID", forge([NOW, "-".repeat(36), FILTERS])],
  ["D34: a forged token with a broken time", forge(["now()", "", FILTERS])],
])("%s is refused", async (_, page_token) => {
  const answer = await reader.rest("GET", "/agent/memories", { query: { page_token } });
  expectInvalid(answer, "page_token");
});

function forge(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}

/** Stores facts in one write, so that all have the same `created_at`; returns their IDs. */
async function rememberAtOnce(spec: Spec, account: TestAccount, count: number): Promise<string[]> {
  const opening = unique("Many facts");
  spec.script.extractions.set(opening, () =>
    Array.from({ length: count }, (_, i) => ({ decision: `Fact number ${i}` })),
  );
  const answer = await write(account, { messages: [{ role: "user", content: opening }] });
  expectOk(answer);
  return answer.body.memory_ids;
}

test("D37 pages: a page ends where its texts, of letters of several bytes, are long", async () => {
  const account = await spec.service.createAccount();
  const ids = await rememberLong(account, "我");
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
