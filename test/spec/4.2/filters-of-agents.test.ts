/** The list's filters by what a memory was written with, and when (D40), and parameters that are refused. */
import { beforeAll, expect, test } from "vitest";
import { MINUTE } from "../../../src/domain/instant.ts";
import type { TestAccount } from "../../support/service.ts";
import { expectInvalid, expectOk, idsOf, iso, list, listIds, memory, remember } from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

let account: TestAccount;
/** By the names below, oldest first. */
const ids: Record<string, string> = {};
const names = new Map<string, string>();
const times: Record<string, string> = {};

const WRITES = {
  first: { session_id: "chat-1", topic: "Home", metadata: { project: "apollo", user: "ada" } },
  second: { session_id: "chat-1", topic: "home", metadata: { project: "apollo" } },
  third: { session_id: "CHAT-1", topic: "Home", metadata: { project: "Apollo", user: "" } },
  fourth: { session_id: "chat-1", source: "crm", metadata: { project: "gemini" } },
  plain: {},
};

beforeAll(async () => {
  account = await spec.service.createAccount();
  for (const [name, fields] of Object.entries(WRITES)) {
    const id = await remember(account, `The fact ${name}`, fields);
    ids[name] = id;
    names.set(id, name);
    times[name] = (await memory(account, id)).created_at;
    spec.service.clock.advance(MINUTE);
  }
  await remember(account, "Of another tenant", { tenant_id: "t", ...WRITES.first });
  const end = { valid_to: "2020-01-01T00:00:00Z" };
  const superseded = await remember(account, "Superseded", WRITES.first);
  names.set(superseded, "superseded");
  expectOk(await account.rest("POST", `/memories/${superseded}/supersede`, { body: end }));
});

const found = async (query: Record<string, string>) =>
  (await listIds(account, query)).map((id) => names.get(id));

test.each<[query: Record<string, string>, found: string[]]>([
  [{ session_id: "chat-1" }, ["fourth", "second", "first"]],
  [{ topic: "Home" }, ["third", "first"]],
  [{ topic: "General" }, ["plain", "fourth"]],
  [{ "metadata[project]": "apollo" }, ["second", "first"]],
  [{ "metadata[project]": "apollo", "metadata[user]": "ada" }, ["first"]],
  [{ "metadata[project]": "apollo", topic: "home", session_id: "chat-1" }, ["second"]],
  [{ session_id: "chat-1", source: "crm" }, ["fourth"]],
  [{ topic: "Home", include_superseded: "true" }, ["superseded", "third", "first"]],
  [{ session_id: "chat-1", as_of: "2019-01-01T00:00:00Z" }, []],
])("D40: %j", async (query, expected) => {
  expect(await found(query)).toEqual(expected);
  const known_at = iso(spec.service.clock.now());
  expect(await found({ ...query, known_at })).toEqual(expected);
});

test("D40: created after a moment, before one, or between two, and at neither", async () => {
  const { second = "", fourth = "" } = times;
  expect(await found({ created_after: second })).toEqual(["plain", "fourth", "third"]);
  expect(await found({ created_before: second })).toEqual(["first"]);
  expect(await found({ created_after: second, created_before: fourth })).toEqual(["third"]);
  expect(await found({ created_after: fourth, created_before: second })).toEqual([]);
  expect(await found({ created_after: second, topic: "Home" })).toEqual(["third"]);
});

test("D40, D34: its pages are of the filters", async () => {
  const query = { session_id: "chat-1", "metadata[project]": "apollo", limit: "1" };
  const first = await list(account, query);
  expect(idsOf(first.memories)).toEqual([ids.second]);
  const page_token = first.next_page_token;
  const last = await list(account, { page_token, ...query, limit: "2" });
  expect(idsOf(last.memories)).toEqual([ids.first]);
  const others = [
    { session_id: "chat-1" },
    { ...query, "metadata[project]": "gemini" },
    { ...query, session_id: "chat-2" },
    { ...query, topic: "Home" },
    { ...query, created_after: "2020-01-01T00:00:00Z" },
    { ...query, created_before: "2020-01-01T00:00:00Z" },
    { ...query, known_at: "2020-01-01T00:00:00Z" },
    { ...query, as_of: "2020-01-01T00:00:00Z" },
  ];
  for (const other of others) {
    const answer = await account.rest("GET", "/agent/memories", {
      query: { page_token, ...other },
    });
    expectInvalid(answer, "page_token");
  }
});

test.each([
  ["session_id=", "session_id"],
  ["created_after=yesterday", "created_after"],
  ["known_at=2026-01-01T00:00:00", "known_at"],
  ["metadata=apollo", "metadata"],
  ["metadata[project]=a&metadata[project]=a", "metadata[project]"],
  ["topic[a]=b", "topic[a]"],
])("D7, D40: refused: %s", async (query, field) => {
  expectInvalid(await account.rest("GET", `/agent/memories?${query}`), field);
});
