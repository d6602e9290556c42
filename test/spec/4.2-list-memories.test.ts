import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MINUTE } from "../../src/domain/instant.ts";
import { DEFAULT_LIST_LIMIT, MAX_LIST_LIMIT } from "../../src/domain/limits.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";
import {
  expectFailure,
  expectInvalid,
  expectOk,
  idsOf,
  iso,
  list,
  listIds,
  remember,
  rememberMany,
  supersede,
  unique,
  write,
} from "./calls.ts";
import { rawRequest } from "./raw-http.ts";
import { scriptModels } from "./scripted-models.ts";

const script = scriptModels();
let service: TestService;
/** With one memory, for tests that only read. */
let reader: TestAccount;

beforeAll(async () => {
  service = await startTestService({ models: script.models });
  reader = await service.createAccount();
  await remember(reader);
});
afterAll(() => service.close());

/** Stores facts in one write, so that all have the same `created_at`; returns their IDs. */
async function rememberAtOnce(account: TestAccount, count: number): Promise<string[]> {
  const opening = unique("Many facts");
  script.extractions.set(opening, () =>
    Array.from({ length: count }, (_, i) => ({ decision: `Fact number ${i}` })),
  );
  const answer = await write(account, { messages: [{ role: "user", content: opening }] });
  expectOk(answer);
  return answer.body.memory_ids;
}

describe("the response", () => {
  test("D2, 4.2 response echoes: exactly these fields; filters that are unset are null", async () => {
    const account = await service.createAccount();
    expect(await list(account)).toEqual({
      company_id: account.companyId,
      tenant_id: null,
      as_of: null,
      include_superseded: false,
      source: null,
      count: 0,
      superseded_count: 0,
      memories: [],
      next_page_token: null,
    });
  });

  test("4.2 response company_id, 4.2 response echoes, 4.2 response count, 4.2 response memories: the filters and what they left", async () => {
    const account = await service.createAccount();
    const id = await remember(account, "Ada lives in Paris", { tenant_id: "acme", source: "crm" });
    const query = {
      tenant_id: "acme",
      source: "crm",
      include_superseded: "true",
      as_of: "2999-01-01T02:00:00.5+02:00",
    };
    expect(await list(account, query)).toEqual({
      company_id: account.companyId,
      tenant_id: "acme",
      as_of: "2999-01-01T00:00:00.500000Z",
      include_superseded: true,
      source: "crm",
      count: 1,
      superseded_count: 0,
      memories: [expect.objectContaining({ id })],
      next_page_token: null,
    });
  });

  test("4.2 response superseded_count, D21: counts the superseded ones of those returned", async () => {
    const account = await service.createAccount();
    const [a = "", b = "", c = ""] = await rememberMany(account, 3);
    await supersede(account, a, { superseded_by: c });
    await supersede(account, b, { valid_to: iso(service.clock.now() + MINUTE) });
    await remember(account, "Expired", {
      valid_from: "2020-01-01T00:00:00Z",
      valid_to: "2020-01-02T00:00:00Z",
    });
    const all = await list(account, { include_superseded: "true" });
    expect(all).toMatchObject({ count: 4, superseded_count: 2 });
    expect(await list(account)).toMatchObject({ count: 1, superseded_count: 0 });
    const asOf = iso(service.clock.now());
    expect(await list(account, { as_of: asOf })).toMatchObject({ count: 2, superseded_count: 1 });
    const firstPage = await list(account, { include_superseded: "true", limit: "2" });
    expect(firstPage).toMatchObject({ count: 2, superseded_count: 0 });
  });
});

describe("filters", () => {
  test("4.2 parameter tenant_id, D22: left out is the default tenant, never all", async () => {
    const account = await service.createAccount();
    const ofNone = await remember(account);
    const ofAcme = await remember(account, "Ada", { tenant_id: "acme" });
    const ofOther = await remember(account, "Ada", { tenant_id: "ACME" });
    expect(await listIds(account)).toEqual([ofNone]);
    expect(await listIds(account, { tenant_id: "acme" })).toEqual([ofAcme]);
    expect(await listIds(account, { tenant_id: "ACME" })).toEqual([ofOther]);
    expect(await listIds(account, { tenant_id: "null" })).toEqual([]);
  });

  test("4.2 parameter source: one source, compared exactly", async () => {
    const account = await service.createAccount();
    const crm = await remember(account, "Ada", { source: "crm" });
    await remember(account, "Ada", { source: "CRM" });
    await remember(account, "Ada", { source: "crm,email" });
    await remember(account, "Ada");
    expect(await listIds(account, { source: "crm" })).toEqual([crm]);
    expect(await listIds(account, { source: "cr" })).toEqual([]);
  });

  test.each(["ä b", "a&b=c", "100%", "a+b", "名前", "x/y", "'"])(
    "4.2 parameter source: %j needs no more than URL encoding",
    async (source) => {
      const account = await service.createAccount();
      const id = await remember(account, "Ada", { source, tenant_id: source });
      const answer = await list(account, { source, tenant_id: source });
      expect(answer).toMatchObject({ source, tenant_id: source });
      expect(idsOf(answer.memories)).toEqual([id]);
    },
  );

  test("4.2 parameter include_superseded, D21: adds the superseded and the expired", async () => {
    const account = await service.createAccount();
    const [replaced = "", ended = "", current = ""] = await rememberMany(account, 3);
    const expired = await remember(account, "Expired", {
      valid_from: "2020-01-01T00:00:00Z",
      valid_to: "2020-01-02T00:00:00Z",
    });
    await supersede(account, replaced, { superseded_by: current });
    await supersede(account, ended, { valid_to: iso(service.clock.now() + MINUTE) });
    expect(await listIds(account)).toEqual([current]);
    expect(await listIds(account, { include_superseded: "false" })).toEqual([current]);
    expect(await listIds(account, { include_superseded: "true" })).toEqual([
      expired,
      current,
      ended,
      replaced,
    ]);
  });

  describe("4.2 parameter as_of", () => {
    const T0 = "2020-01-01T00:00:00Z";
    const T1 = "2020-02-01T00:00:00Z";
    const T2 = "2020-03-01T00:00:00Z";
    let account: TestAccount;
    const names = new Map<string, string>();

    beforeAll(async () => {
      account = await service.createAccount();
      const first = await remember(account, "first", { valid_from: T0 });
      const second = await remember(account, "second", { valid_from: T1 });
      const known = await remember(account, "known end", { valid_from: T0, valid_to: T2 });
      const never = await remember(account, "never held", { valid_from: T2 });
      const before = await remember(account, "before never", { valid_from: T1 });
      await supersede(account, first, { superseded_by: second });
      await supersede(account, never, { superseded_by: before });
      for (const [name, id] of Object.entries({ first, second, known, never, before })) {
        names.set(id, name);
      }
    });

    test.each([
      ["D21: before every start", "2019-12-31T23:59:59.999999Z", []],
      ["D21: a start is part of the interval", T0, ["known", "first"]],
      ["D21: superseded since, and still found", "2020-01-31T23:59:59.999999Z", ["known", "first"]],
      ["D21: an end is not part of the interval", T1, ["before", "known", "second"]],
      ["D21: an interval that is empty never held", T2, ["before", "second"]],
      ["D21: today", "2024-06-01T00:00:00Z", ["before", "second"]],
      ["D21: in the future, what is known to hold", "2999-01-01T00:00:00Z", ["before", "second"]],
    ])("%s (%s)", async (_, asOf, expected) => {
      const byDefault = await listIds(account, { as_of: asOf });
      expect(byDefault.map((id) => names.get(id))).toEqual(expected);
      for (const include_superseded of ["true", "false"]) {
        const found = await listIds(account, { as_of: asOf, include_superseded });
        expect(found.map((id) => names.get(id))).toEqual(expected);
      }
    });

    test("4.2 parameter as_of: goes together with the other filters", async () => {
      const [id] = await listIds(account, { as_of: T0, source: "agent", limit: "1" });
      expect(names.get(id ?? "")).toBe("known");
      expect(await listIds(account, { as_of: T0, source: "crm" })).toEqual([]);
      expect(await listIds(account, { as_of: T0, tenant_id: "acme" })).toEqual([]);
    });
  });

  test("D18, D21: an end in the future ends currency at once, while as_of finds the memory until then", async () => {
    const account = await service.createAccount();
    const id = await remember(account);
    const end = service.clock.now() + 60n * MINUTE;
    expectOk(await supersede(account, id, { valid_to: iso(end) }));
    expect(await listIds(account)).toEqual([]);
    expect(await listIds(account, { as_of: iso(end - 1n) })).toEqual([id]);
    expect(await listIds(account, { as_of: iso(end) })).toEqual([]);
  });
});

describe("order, limit and pages", () => {
  test("D22: newest first by `created_at`, then by ID", async () => {
    const account = await service.createAccount();
    const atOnce = await rememberAtOnce(account, 5);
    const last = await remember(account, "Last", { valid_from: "1990-01-01T00:00:00Z" });
    expect(await listIds(account)).toEqual([last, ...atOnce.toSorted().toReversed()]);
  });

  test("4.2 parameter limit, 8 limit list limit: 100 by default, 1 to 1,000", async () => {
    const account = await service.createAccount();
    const ids = (await rememberAtOnce(account, DEFAULT_LIST_LIMIT + 1)).toReversed();
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

  test("D34: a page that is just full is the last one when nothing follows", async () => {
    const account = await service.createAccount();
    await rememberAtOnce(account, 4);
    expect((await list(account, { limit: "4" })).next_page_token).toBeNull();
    const first = await list(account, { limit: "2" });
    const second = await list(account, { limit: "2", page_token: first.next_page_token });
    expect([first.count, second.count]).toEqual([2, 2]);
    expect(second.next_page_token).toBeNull();
  });

  test("D34: pages are stable while others write, supersede and erase", async () => {
    const account = await service.createAccount();
    const ids = [...(await rememberAtOnce(account, 7)), ...(await rememberMany(account, 6))];
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
      await rememberAtOnce(account, 2);
      for (const id of [seen.at(-1), ids[0], ids[1], ids[5]]) {
        if (id !== undefined) await supersede(account, id, { superseded_by: newer });
      }
      await account.rest("DELETE", "/agent/memories", { query: { tenant_id: "acme" } });
    } while (token !== null);
    expect(seen).toEqual(ids.toReversed());
  });

  test("D34: a memory that ends between two pages takes no other one with it", async () => {
    const account = await service.createAccount();
    const ids = (await rememberAtOnce(account, 6)).toReversed();
    const first = await list(account, { limit: "2" });
    const newer = await remember(account, "Newer");
    for (const id of [ids[0], ids[1], ids[3]]) {
      await supersede(account, id ?? "", { superseded_by: newer });
    }
    const second = await list(account, { limit: "2", page_token: first.next_page_token });
    const third = await list(account, { limit: "2", page_token: second.next_page_token });
    expect(idsOf([...second.memories, ...third.memories])).toEqual([ids[2], ids[4], ids[5]]);
  });

  test("D34: the limit may change from page to page, the filters may not", async () => {
    const account = await service.createAccount();
    const ids = (await rememberAtOnce(account, 5)).toReversed();
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
    const [one, other] = [await service.createAccount(), await service.createAccount()];
    await rememberAtOnce(one, 3);
    const ids = (await rememberAtOnce(other, 2)).toReversed();
    const { next_page_token: page_token } = await list(one, { limit: "1" });
    const found = await listIds(other, { page_token });
    expect(ids).toEqual(expect.arrayContaining(found));
  });

  const NOW = "2024-01-01T00:00:00.000000Z";
  const FILTERS = "[null,null,false,null]";
  test.each([
    ["D34: an empty token", ""],
    ["D34: a token that is no base64", "%%%"],
    ["D34: a token that is a word", "next"],
    ["D34: a forged token with a broken ID", forge([NOW, "-".repeat(36), FILTERS])],
    ["D34: a forged token with another ID", forge([NOW, "' or 1=1", FILTERS])],
    ["D34: a forged token with a broken time", forge(["now()", "", FILTERS])],
    ["D34: a forged token with too little", forge([NOW])],
    ["D34: a forged token that is an object", forge({ id: 1 })],
    ["D34: a forged token that is null", forge(null)],
    ["D34: a token of 10,000 characters", "A".repeat(10_000)],
  ])("%s is refused", async (_, page_token) => {
    const answer = await reader.rest("GET", "/agent/memories", { query: { page_token } });
    expectInvalid(answer, "page_token");
  });

  function forge(content: unknown): string {
    return Buffer.from(JSON.stringify(content)).toString("base64url");
  }
});

describe("timestamps (D3)", () => {
  test.each([
    ["D3: Z", "2024-05-04T03:02:01Z", "2024-05-04T03:02:01.000000Z"],
    ["D3: in small letters", "2024-05-04t03:02:01z", "2024-05-04T03:02:01.000000Z"],
    ["D3: milliseconds", "2024-05-04T03:02:01.123Z", "2024-05-04T03:02:01.123000Z"],
    ["D3: microseconds", "2024-05-04T03:02:01.123456Z", "2024-05-04T03:02:01.123456Z"],
    ["D3: nanoseconds", "2024-05-04T03:02:01.123456789Z", "2024-05-04T03:02:01.123456Z"],
    ["D3: one digit of a second", "2024-05-04T03:02:01.5Z", "2024-05-04T03:02:01.500000Z"],
    ["D3: east of Greenwich", "2024-05-04T03:02:01+02:00", "2024-05-04T01:02:01.000000Z"],
    ["D3: west of Greenwich", "2024-05-04T03:02:01-05:30", "2024-05-04T08:32:01.000000Z"],
    ["D3: the offset nought", "2024-05-04T03:02:01+00:00", "2024-05-04T03:02:01.000000Z"],
    ["D3: the unknown offset", "2024-05-04T03:02:01-00:00", "2024-05-04T03:02:01.000000Z"],
    ["D3: across the new year", "2023-12-31T23:30:00-01:00", "2024-01-01T00:30:00.000000Z"],
    ["D3: a leap day", "2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000Z"],
    ["D3: before 1970", "1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"],
    ["D3: long ago", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"],
  ])("%s (%s), in a body and in a query", async (_, text, written) => {
    const account = await service.createAccount();
    await remember(account, "Ada", { valid_from: text });
    const answer = await list(account, { as_of: text });
    expect(answer.as_of).toBe(written);
    expect(answer.memories[0]).toMatchObject({
      valid_from: written,
      temporal: { valid_from: written },
    });
  });

  test.each([
    ["D3: `+` as it is, which arrives as a space", "2024-05-04T03:02:01+02:00"],
    ["D3: `+` encoded", "2024-05-04T03:02:01%2B02:00"],
    ["D3: a space encoded", "2024-05-04T03:02:01%2002:00"],
    ["D3: colons encoded", "2024-05-04T03%3A02%3A01%2B02%3A00"],
  ])("%s", async (_, text) => {
    const answer = await rawRequest(service.url, "GET", `/agent/memories?as_of=${text}`, {
      headers: { authorization: `Bearer ${reader.key}` },
    });
    expect(answer).toMatchObject({ status: 200, body: { as_of: "2024-05-04T01:02:01.000000Z" } });
  });

  test.each([
    ["D3: without an offset", "2024-05-04T03:02:01"],
    ["D3: only a date", "2024-05-04"],
    ["D3: a day that does not exist", "2024-02-30T00:00:00Z"],
    ["D3: a leap day of no leap year", "2025-02-29T00:00:00Z"],
    ["D3: a leap day of 1900", "1900-02-29T00:00:00Z"],
    ["D3: the 31st of April", "2024-04-31T00:00:00Z"],
    ["D3: month 13", "2024-13-01T00:00:00Z"],
    ["D3: month 0", "2024-00-01T00:00:00Z"],
    ["D3: day 0", "2024-01-00T00:00:00Z"],
    ["D3: hour 24", "2024-01-01T24:00:00Z"],
    ["D3: minute 60", "2024-01-01T00:60:00Z"],
    ["D3: second 61", "2024-01-01T00:00:61Z"],
    ["D3: an offset of 24 hours", "2024-01-01T00:00:00+24:00"],
    ["D3: an offset without minutes", "2024-01-01T00:00:00+02"],
    ["D3: an offset without a colon", "2024-01-01T00:00:00+0200"],
    ["D3: without seconds", "2024-01-01T00:00Z"],
    ["D3: basic format", "20260101T000000Z"],
    ["D3: a space for the T", "2024-01-01 00:00:00Z"],
    ["D3: blanks around it", " 2024-01-01T00:00:00Z "],
    ["D3: a fraction without digits", "2024-01-01T00:00:00.Z"],
    ["D3: a comma in the fraction", "2024-01-01T00:00:00,5Z"],
    ["D3: a zone by name", "2024-01-01T00:00:00[Europe/Paris]"],
    ["D3: seconds since 1970", "1767225600"],
    ["D3: a word", "now"],
    ["D3: the year 10000", "+010000-01-01T00:00:00Z"],
    ["D3: the year 0", "0000-01-01T00:00:00Z"],
    ["D3: nothing", ""],
  ])("%s is refused (%j)", async (_, text) => {
    const query = { as_of: text };
    expectInvalid(await reader.rest("GET", "/agent/memories", { query }), "as_of");
    expectInvalid(await write(reader, { content: "Ada", valid_from: text }), "valid_from");
    expectInvalid(await write(reader, { content: "Ada", valid_to: text }), "valid_to");
  });
});

describe("refused parameters", () => {
  test.each([
    ["D7: an unknown parameter", "tenantid=acme", "tenantid"],
    ["D7: a parameter in camelCase", "tenantId=acme", "tenantId"],
    ["D7: a parameter in capitals", "LIMIT=5", "LIMIT"],
    ["D7: `sources` of the other endpoint", "sources=agent", "sources"],
    ["D7: tenant_id given twice", "tenant_id=a&tenant_id=b", "tenant_id"],
    ["D7: source given twice", "source=a&source=a", "source"],
    ["D7: limit given twice", "limit=1&limit=1", "limit"],
    ["D7: a list in PHP's manner", "source[]=a", "source[]"],
    ["D8: an empty tenant_id", "tenant_id=", "tenant_id"],
    ["D8: a tenant_id without a value", "tenant_id", "tenant_id"],
    ["4.2 parameter source: empty", "source=", "source"],
    ["4.2 parameter include_superseded: a number", "include_superseded=1", "include_superseded"],
    ["4.2 parameter include_superseded: a word", "include_superseded=yes", "include_superseded"],
    ["4.2 parameter include_superseded: capitals", "include_superseded=TRUE", "include_superseded"],
    ["4.2 parameter include_superseded: empty", "include_superseded=", "include_superseded"],
    ["4.2 parameter limit: 0", "limit=0", "limit"],
    ["4.2 parameter limit: -1", "limit=-1", "limit"],
    ["4.2 parameter limit: 1,001", `limit=${MAX_LIST_LIMIT + 1}`, "limit"],
    ["4.2 parameter limit: a fraction", "limit=1.5", "limit"],
    ["4.2 parameter limit: a word", "limit=all", "limit"],
    ["4.2 parameter limit: empty", "limit=", "limit"],
    ["4.2 parameter limit: beyond 32 bits", "limit=4294967297", "limit"],
    ["4.2 parameter limit: with an exponent", "limit=1e2", "limit"],
    ["D8: a control character", "tenant_id=a%00b", "tenant_id"],
    ["D8: bytes that are no UTF-8", "tenant_id=%ff", "tenant_id"],
    ["D8: a broken escape", "tenant_id=%zz", "tenant_id"],
  ])("%s", async (_, query, field) => {
    expectInvalid(await reader.rest("GET", `/agent/memories?${query}`), field);
  });

  test("D7: a body on GET", async () => {
    const answer = await rawRequest(service.url, "GET", "/agent/memories", {
      headers: {
        authorization: `Bearer ${reader.key}`,
        "content-type": "application/json",
        "content-length": "2",
      },
      body: "{}",
    });
    expectFailure(answer, 422, "invalid_field", "body");
  });
});
