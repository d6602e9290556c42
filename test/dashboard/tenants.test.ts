/** The tenants of an account, and what is asked of all of them. */
import { sql } from "kysely";
import { expect } from "vitest";
import { TenantService } from "../../gen/agentmemory/dashboard/v1/tenant_service_pb.ts";
import { MAX_COUNTED_MEMORIES, MAX_LISTED_TENANTS } from "../../src/domain/limits.ts";
import { remember } from "../spec/calls.ts";
import { accountClient } from "../support/dashboard-client.ts";
import type { TestAccount } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

const write = (account: TestAccount, content: string, tenant_id?: string) =>
  remember(account, content, { tenant_id });

serviceTest(
  "tenants are told with their memories, their last write and their last question",
  async ({ sharedService: service }) => {
    const account = await service.createAccount();
    const tenants = await accountClient(TenantService, service, account);
    const old = await write(account, "Bob lives in Rome", "bob");
    const superseded_by = await write(account, "Bob lives in Oslo", "bob");
    await account.rest("POST", `/memories/${old}/supersede`, { body: { superseded_by } });
    await write(account, "Nobody in particular");
    await write(account, "Alice likes tea", "Alice");
    await write(account, "Alice likes figs", "Alice");
    await account.rest("POST", "/agent/search", { body: { question: "Bob?", tenant_id: "bob" } });
    const named = async (request: object) => {
      const { tenants: found, totalCount } = await tenants.listTenants(request);
      return [totalCount, ...found.map(({ tenantId }) => tenantId)];
    };
    expect(await named({})).toEqual([3, "Alice", undefined, "bob"]);
    expect(await named({ order: "name" })).toEqual([3, undefined, "Alice", "bob"]);
    expect(await named({ order: "current_count" })).toEqual([3, "Alice", undefined, "bob"]);
    expect(await named({ search: "ALI" })).toEqual([1, "Alice"]);
    expect(await named({ search: "nobody" })).toEqual([0]);
    await expect(tenants.listTenants({ order: "size" })).rejects.toThrow("order");
    await expect
      .poll(async () => (await tenants.listTenants({ search: "bob" })).tenants)
      .toMatchObject([{ currentCount: 1, lastQuestionAt: { nanos: expect.any(Number) } }]);
    expect(await named({ order: "last_question_at" })).toEqual([3, "bob", undefined, "Alice"]);
    const [alice] = (await tenants.listTenants({ search: "Alice" })).tenants;
    expect(alice?.lastQuestionAt).toBeUndefined();
  },
);

serviceTest("their pages have each once", async ({ sharedService: service }) => {
  const account = await service.createAccount();
  const tenants = await accountClient(TenantService, service, account);
  const memories = Array.from({ length: 120 }, (_, n) => ({ content: "A", tenant_id: `t${n}` }));
  await account.rest("POST", "/agent/memories:batch", { body: { memories } });
  const names = new Set<string | undefined>();
  for (let pageToken: string | undefined, page = 0; page < 3; page++) {
    const found = await tenants.listTenants({ order: "name", pageToken });
    expect(found.totalCount).toBe(120);
    for (const { tenantId } of found.tenants) names.add(tenantId);
    pageToken = found.nextPageToken;
  }
  expect(names.size).toBe(120);
  await expect(tenants.listTenants({ pageToken: "none" })).rejects.toThrow("page_token");
});

serviceTest(
  "of more than can be listed the first by name are, and a search finds the others",
  async ({ sharedService: service }) => {
    const account = await service.createAccount();
    const tenants = await accountClient(TenantService, service, account);
    await write(account, "Alice likes tea", "alice");
    const db = service.context.db.of(account.companyId);
    await sql`
      insert into memories (company_id, id, tenant_id, decision, topic, importance_score, source,
        created_at, valid_from, mode)
      select company_id, gen_random_uuid(), 't' || n, decision, topic, 5, source, created_at,
        valid_from, mode
      from memories cross join generate_series(10001, 10001 + ${MAX_LISTED_TENANTS}::int) as n
      where company_id = ${db.companyId}`.execute(db);
    const named = async (request: object) => {
      const { tenants: found, totalCount, isMore } = await tenants.listTenants(request);
      return { isMore, totalCount, first: found[0]?.tenantId, count: found[0]?.currentCount };
    };
    const all = { isMore: true, totalCount: MAX_LISTED_TENANTS, first: "alice", count: 1 };
    expect(await named({ order: "name" })).toEqual(all);
    expect(await named({ search: "t20001" })).toMatchObject({ totalCount: 1, first: "t20001" });
    expect(await named({ search: "9" })).toMatchObject({ first: "t10009" });
  },
);

serviceTest("the memories of a list are counted", async ({ sharedService: service }) => {
  const account = await service.createAccount();
  const tenants = await accountClient(TenantService, service, account);
  const memories = Array.from({ length: 60 }, (_, n) => ({ content: "A", topic: `T${n % 2}` }));
  await account.rest("POST", "/agent/memories:batch", { body: { memories } });
  expect(await tenants.countMemories({ limit: 5 })).toMatchObject({ count: 60, isMore: false });
  expect(await tenants.countMemories({ topic: "T1" })).toMatchObject({ count: 30 });
  expect(await tenants.countMemories({ tenantId: "other" })).toMatchObject({ count: 0 });
  const db = service.context.db.of(account.companyId);
  await sql`
    insert into memories (company_id, id, tenant_id, decision, topic, importance_score, source,
      created_at, valid_from, mode)
    select company_id, gen_random_uuid(), 'other', decision, topic, 5, source, created_at,
      valid_from, mode
    from (select * from memories where company_id = ${db.companyId} limit 1) as each
    cross join generate_series(0, ${MAX_COUNTED_MEMORIES}::int)`.execute(db);
  const most = { count: MAX_COUNTED_MEMORIES, isMore: true };
  expect(await tenants.countMemories({ tenantId: "other" })).toMatchObject(most);
});
