import { sql } from "kysely";
import { expect, test } from "vitest";
import { MINUTE } from "../../src/domain/instant.ts";
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
  iso,
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

test("4.9 response chain_length, 4.9 path memory_id, D2: a memory that was never superseded is a chain of 1, its ID in capitals the same", async () => {
  const account = await spec.service.createAccount();
  const id = await remember(account);
  expect(await timeline(account, id.toUpperCase())).toEqual({
    memory_id: id,
    company_id: account.companyId,
    chain_length: 1,
    timeline: [expect.objectContaining({ id })],
    next_page_token: null,
  });
});

test("3.1 chain rule, D20, 4.9 response memory_id, 4.9 response company_id, 4.9 response timeline: the whole chain from any of its memories, of which the last alone holds", async () => {
  const account = await spec.service.createAccount();
  const ids = await rememberMany(account, 5);
  for (let i = 0; i < 4; i++) {
    expectOk(await supersede(account, ids[i] ?? "", { superseded_by: ids[i + 1] }));
  }
  const chains = [];
  for (const id of ids) {
    const answer = await timeline(account, id);
    expect(answer).toMatchObject({
      memory_id: id,
      company_id: account.companyId,
      chain_length: 5,
    });
    chains.push(answer.timeline);
  }
  expect(idsOf(chains[0])).toEqual(ids);
  for (const { id, valid_to, superseded_by, temporal } of chains[0]) {
    const next = ids[ids.indexOf(id) + 1] ?? null;
    expect({ superseded_by, isOpen: valid_to === null }).toEqual({
      superseded_by: next,
      isOpen: next === null,
    });
    expect(temporal.is_current).toBe(next === null);
  }
  for (const chain of chains) expect(chain).toEqual(chains[0]);
});

test("4.9 response timeline, D20: by valid_from, then created_at, then ID, whatever the links say", async () => {
  const account = await spec.service.createAccount();
  const opening = unique("At once");
  spec.script.extractions.set(opening, () => [{ decision: "One" }, { decision: "Two" }]);
  const late = await remember(account, "Late", { valid_from: "2024-03-01T00:00:00Z" });
  const answer = await write(account, {
    messages: [{ role: "user", content: opening }],
    valid_from: "2024-02-01T00:00:00Z",
  });
  const [one, two] = answer.body.memory_ids;
  const secondOfFebruary = await remember(account, "Later", {
    valid_from: "2024-02-01T00:00:00Z",
  });
  const early = await remember(account, "Early", { valid_from: "2024-01-01T00:00:00Z" });
  // The chain runs from late to early.
  await supersede(account, late, { superseded_by: secondOfFebruary });
  await supersede(account, secondOfFebruary, { superseded_by: two });
  await supersede(account, two, { superseded_by: one });
  await supersede(account, one, { superseded_by: early });
  const { timeline: chain } = await timeline(account, two);
  expect(idsOf(chain)).toEqual([early, one, two, secondOfFebruary, late]);
});

test("D18, 4.9 response timeline: of a merge, all branches from any of them", async () => {
  const account = await spec.service.createAccount();
  const [a = "", b = "", c = "", d = "", head = ""] = await rememberMany(account, 5);
  const other = await remember(account, "Of no chain");
  for (const [id, by] of [
    [a, b],
    [b, head],
    [c, d],
    [d, head],
  ] as const) {
    expectOk(await supersede(account, id, { superseded_by: by }));
  }
  for (const id of [a, b, c, d, head]) {
    const { timeline: chain } = await timeline(account, id);
    expect(idsOf(chain)).toEqual([a, b, c, d, head]);
  }
  expect((await timeline(account, other)).chain_length).toBe(1);
});

test("D20: a chain whose head was ended, or has expired, has no current memory", async () => {
  const account = await spec.service.createAccount();
  const [a = "", b = "", c = ""] = await rememberMany(account, 3);
  await supersede(account, a, { superseded_by: b });
  await supersede(account, b, { valid_to: iso(spec.service.clock.now()) });
  const end = spec.service.clock.now() + MINUTE;
  const expiring = await remember(account, "Expires", { valid_to: iso(end) });
  expectOk(await supersede(account, c, { superseded_by: expiring }));
  spec.service.clock.advance(MINUTE);
  for (const id of [a, c]) {
    const { timeline: chain } = await timeline(account, id);
    expect(chain).toHaveLength(2);
    for (const { temporal } of chain) expect(temporal.is_current).toBe(false);
  }
});

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

test("D37 timeline, D37 pages: a page ends where its texts are long, and the next one continues; no other token does", async () => {
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
  const ofList = await list(account, { include_superseded: "true", limit: "1" });
  for (const [id, page_token] of [
    [first, ofList.next_page_token],
    [first, ""],
    [first, Buffer.from("[]").toString("base64url")],
    [others[0], pages[0].next_page_token],
  ] as const) {
    const query = { page_token };
    expectInvalid(await account.rest("GET", `/memories/${id}/timeline`, { query }), "page_token");
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
  const [anew] = await pagesOf(account, head);
  expect(idsOf(anew.timeline)[0], "written last, valid first").toBe(early);
});
