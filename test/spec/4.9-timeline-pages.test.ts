/** Chains of several pages: of long memories, or of many (D37). */
import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  MAX_EXTRACTED_FACTS,
  MAX_PAGE_TEXT_BYTES,
  MAX_TIMELINE_PAGE_MEMORIES,
} from "../../src/domain/limits.ts";
import type { TestAccount } from "../support/service.ts";
import {
  expectInvalid,
  expectOk,
  idsOf,
  list,
  remember,
  rememberMany,
  supersede,
  timeline,
  unique,
  write,
} from "./calls.ts";
import { OVER_A_PAGE, rememberLong, textBytesOf } from "./long-memories.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec();

/** More versions than are one page, long ones that their last one replaced; oldest first. */
async function longChain(account: TestAccount): Promise<[string, ...string[]]> {
  const [first = "", ...others] = await rememberLong(account, "x");
  for (const id of [first, ...others.slice(0, -1)]) {
    expectOk(await supersede(account, id, { superseded_by: others.at(-1) }));
  }
  return [first, ...others];
}

async function pagesOf(account: TestAccount, memoryId: string) {
  const pages = [await timeline(account, memoryId)];
  for (let [last] = pages; last.next_page_token !== null; last = pages.at(-1)) {
    pages.push(await timeline(account, memoryId, { page_token: last.next_page_token }));
  }
  return pages;
}

test("D37 timeline, D37 pages: a page ends where its texts are long, and the next one continues", async () => {
  const account = await spec.service.createAccount();
  const [first, ...others] = await longChain(account);
  const pages = await pagesOf(account, first);
  expect(pages).toHaveLength(2);
  expect(pages.flatMap((page) => idsOf(page.timeline))).toEqual([first, ...others]);
  for (const page of pages) {
    expect(page).toMatchObject({ memory_id: first, chain_length: OVER_A_PAGE });
    const bytes = textBytesOf(page.timeline);
    expect(bytes).toBeLessThanOrEqual(MAX_PAGE_TEXT_BYTES);
    if (page.next_page_token === null) continue;
    const withOneMore = bytes * (1 + 1 / page.timeline.length);
    expect(withOneMore).toBeGreaterThan(MAX_PAGE_TEXT_BYTES);
  }
});

test("D37 timeline: a page has at most 1,000 memories", async () => {
  const account = await spec.service.createAccount();
  const head = await remember(account);
  for (let count = 1; count <= MAX_TIMELINE_PAGE_MEMORIES; ) {
    const opening = unique("Much to tell");
    const facts = Array.from({ length: MAX_EXTRACTED_FACTS }, (_, index) => `Fact ${index}`);
    spec.script.extractions.set(opening, () => facts.map((decision) => ({ decision })));
    expectOk(await write(account, { messages: [{ role: "user", content: opening }] }));
    count += facts.length;
  }
  const { companyId } = account;
  await sql`
    update memories set superseded_by = ${head}, valid_to = valid_from, superseded_at = created_at
    where company_id = ${companyId} and id <> ${head}`.execute(spec.service.context.db);
  const [first, second, ...others] = await pagesOf(account, head);
  expect(first.timeline).toHaveLength(MAX_TIMELINE_PAGE_MEMORIES);
  expect(others).toEqual([]);
  const shown = new Set(idsOf([...first.timeline, ...second.timeline]));
  expect(shown.size).toBe(first.chain_length);
  expect(second.chain_length).toBe(first.chain_length);
});

test("D37 timeline: the next page is of the chain as it is then, behind the page before", async () => {
  const account = await spec.service.createAccount();
  const ids = await longChain(account);
  const head = ids.at(-1) ?? "";
  const first = await timeline(account, ids[0]);
  const early = await remember(account, "Early", { valid_from: "2024-01-01T00:00:00Z" });
  const late = await remember(account, "Late");
  expectOk(await supersede(account, early, { superseded_by: head }));
  expectOk(await supersede(account, head, { superseded_by: late }));
  const second = await timeline(account, ids[0], { page_token: first.next_page_token });
  expect(second).toMatchObject({ chain_length: OVER_A_PAGE + 2, next_page_token: null });
  expect(idsOf([...first.timeline, ...second.timeline])).toEqual([...ids, late]);
});

test("D37 timeline: a token of a list, of another memory or of nothing is refused", async () => {
  const account = await spec.service.createAccount();
  const [first, second = ""] = await longChain(account);
  const { next_page_token: page_token } = await timeline(account, first);
  const { next_page_token: ofList } = await list(account, {
    include_superseded: "true",
    limit: "1",
  });
  const [other = ""] = await rememberMany(account, 1);
  expect([page_token, ofList]).toEqual([expect.any(String), expect.any(String)]);
  for (const [id, token] of [
    [first, ofList],
    [first, ""],
    [first, "next"],
    [first, Buffer.from("[]").toString("base64url")],
    [second, page_token],
    [other, page_token],
  ] as const) {
    const query = { page_token: token };
    expectInvalid(await account.rest("GET", `/memories/${id}/timeline`, { query }), "page_token");
  }
  expectInvalid(
    await account.rest("GET", "/agent/memories", { query: { page_token } }),
    "page_token",
  );
});
