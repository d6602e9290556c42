/** What the list answers, and what its filters leave (D21, D22). */
import { beforeAll, describe, expect, test } from "vitest";
import { MINUTE } from "../../../src/domain/instant.ts";
import type { TestAccount } from "../../support/service.ts";
import { idsOf, iso, list, listIds, remember, rememberMany, supersede } from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

describe("the response", () => {
  test("D2, 4.2 response echoes: exactly these fields; filters that are unset are null", async () => {
    const account = await spec.service.createAccount();
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
    const account = await spec.service.createAccount();
    const id = await remember(account, "Ada lives in Paris", {
      tenant_id: "acme",
      source: "crm",
    });
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

  test("4.2 response superseded_count, 4.2 parameter include_superseded, D21: adds the superseded and the expired, and counts the superseded ones of those returned", async () => {
    const account = await spec.service.createAccount();
    const [a = "", b = "", c = ""] = await rememberMany(account, 3);
    await supersede(account, a, { superseded_by: c });
    await supersede(account, b, { valid_to: iso(spec.service.clock.now() + MINUTE) });
    const expired = await remember(account, "Expired", {
      valid_from: "2020-01-01T00:00:00Z",
      valid_to: "2020-01-02T00:00:00Z",
    });
    const all = await list(account, { include_superseded: "true" });
    expect(all).toMatchObject({ count: 4, superseded_count: 2 });
    expect(idsOf(all.memories)).toEqual([expired, c, b, a]);
    for (const query of [undefined, { include_superseded: "false" }]) {
      const current = await list(account, query);
      expect(current).toMatchObject({ count: 1, superseded_count: 0, memories: [{ id: c }] });
    }
    const asOf = iso(spec.service.clock.now());
    expect(await list(account, { as_of: asOf })).toMatchObject({ count: 2, superseded_count: 1 });
    const firstPage = await list(account, { include_superseded: "true", limit: "2" });
    expect(firstPage).toMatchObject({ count: 2, superseded_count: 0 });
  });
});

describe("filters", () => {
  test("4.2 parameter tenant_id, D22: left out is the default tenant, never all", async () => {
    const account = await spec.service.createAccount();
    const ofNone = await remember(account);
    const ofAcme = await remember(account, "Ada", { tenant_id: "acme" });
    const ofOther = await remember(account, "Ada", { tenant_id: "ACME" });
    expect(await listIds(account)).toEqual([ofNone]);
    expect(await listIds(account, { tenant_id: "acme" })).toEqual([ofAcme]);
    expect(await listIds(account, { tenant_id: "ACME" })).toEqual([ofOther]);
    expect(await listIds(account, { tenant_id: "null" })).toEqual([]);
  });

  test("4.2 parameter source: one source, compared exactly", async () => {
    const account = await spec.service.createAccount();
    const crm = await remember(account, "Ada", { source: "crm" });
    await remember(account, "Ada", { source: "CRM" });
    await remember(account, "Ada", { source: "crm,email" });
    await remember(account, "Ada");
    expect(await listIds(account, { source: "crm" })).toEqual([crm]);
    expect(await listIds(account, { source: "cr" })).toEqual([]);
  });

  test.each(["a&b=c", "100% 名前", "a+b"])(
    "4.2 parameter source: %j needs no more than URL encoding",
    async (source) => {
      const account = await spec.service.createAccount();
      const id = await remember(account, "Ada", { source, tenant_id: source });
      const answer = await list(account, { source, tenant_id: source });
      expect(answer).toMatchObject({ source, tenant_id: source });
      expect(idsOf(answer.memories)).toEqual([id]);
    },
  );

  describe("as_of", () => {
    const T0 = "2020-01-01T00:00:00Z";
    const T1 = "2020-02-01T00:00:00Z";
    const T2 = "2020-03-01T00:00:00Z";
    let account: TestAccount;
    const names = new Map<string, string>();

    beforeAll(async () => {
      account = await spec.service.createAccount();
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
      ["4.2 parameter as_of, D21: before every start", "2019-12-31T23:59:59.999999Z", []],
      ["D21: a start is part of the interval", T0, ["known", "first"]],
      ["D21: superseded since, and still found", "2020-01-31T23:59:59.999999Z", ["known", "first"]],
      ["D21: an end is not part of the interval", T1, ["before", "known", "second"]],
      ["D21: an interval that is empty never held", T2, ["before", "second"]],
      ["D21: in the future, what is known to hold", "2999-01-01T00:00:00Z", ["before", "second"]],
    ])("%s (%s)", async (_, asOf, expected) => {
      const byDefault = await listIds(account, { as_of: asOf });
      expect(byDefault.map((id) => names.get(id))).toEqual(expected);
      for (const include_superseded of ["true", "false"]) {
        const found = await listIds(account, { as_of: asOf, include_superseded });
        expect(found.map((id) => names.get(id))).toEqual(expected);
      }
    });
  });
});
