import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteAccount } from "../../src/service/admin/accounts.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { logCalls } from "../support/logged-calls.ts";
import { startTestService, type TestAccount } from "../support/service.ts";

const TABLES = [
  "accounts",
  "api_keys",
  "api_key_settings",
  "write_usage",
  "memories",
  "memory_vectors",
  "audit_events",
  "idempotency_keys",
  "calls",
  "rejected_facts",
];

const service = await forThisFile(startTestService());

/** How many rows of each table are an account's. */
async function rowsOf({ companyId }: TestAccount): Promise<Record<string, number>> {
  const counts = TABLES.map(async (table) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where company_id = ${companyId}`.execute(
      service.context.db,
    );
    return [table, Number(rows[0]?.count)] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

async function accountWithEverything(): Promise<TestAccount> {
  const account = await service.createAccount();
  const body = { content: "Lives in Rome", tenant_id: "acme" };
  const headers = { "idempotency-key": "once" };
  const { body: old } = await account.rest("POST", "/agent/memories", { body, headers });
  const { body: next } = await account.rest("POST", "/agent/memories", { body });
  const superseded_by = next.memory_id;
  await account.rest("POST", `/memories/${old.memory_id}/supersede`, { body: { superseded_by } });
  await account.rest("POST", "/agent/memories", { body: { content: "Of no tenant" } });
  await account.rest("PATCH", "/agent/settings", { body: { min_confidence: 0.5 } });
  // The local models read no German.
  const messages = [{ role: "user", content: "Ich wohne seit drei Jahren in Hamburg." }];
  await account.rest("POST", "/agent/memories", { body: { messages } });
  await logCalls(service, account, [{}]);
  return account;
}

test("is gone with all that is its own, and nothing of another", async () => {
  const kept = await accountWithEverything();
  const before = await rowsOf(kept);
  for (const table of TABLES) expect(before[table], table).toBeGreaterThan(0);
  const account = await accountWithEverything();
  expect(await deleteAccount(service.context, account.companyId)).toEqual({
    deletedCount: 3,
    isDeleted: true,
  });
  expect(Object.values(await rowsOf(account))).toEqual(TABLES.map(() => 0));
  // Calls that ended before are stored meanwhile.
  expect(await rowsOf(kept)).toEqual({ ...before, calls: expect.any(Number) });
  expect((await account.rest("GET", "/plan/status")).status).toBe(401);
  expect((await kept.rest("GET", "/plan/status")).status).toBe(200);
  await expect(deleteAccount(service.context, account.companyId)).rejects.toMatchObject({
    reason: "account_not_found",
  });
});

test("may go in steps, of which each says whether it was the last", async () => {
  const account = await service.createAccount();
  const memories = Array.from({ length: 250 }, (_, index) => ({ content: `Fact ${index}` }));
  await account.rest("POST", "/agent/memories:batch", { body: { memories } });
  const step = () => deleteAccount(service.context, account.companyId, 150);
  expect(await step()).toEqual({ deletedCount: 200, isDeleted: false });
  expect((await account.rest("GET", "/plan/status")).status).toBe(401);
  expect(await rowsOf(account)).toMatchObject({ accounts: 1, memories: 50 });
  expect(await step()).toEqual({ deletedCount: 50, isDeleted: true });
  expect(Object.values(await rowsOf(account))).toEqual(TABLES.map(() => 0));
});

test("keeps nothing of what is written meanwhile, and refuses it from then on", async () => {
  const account = await service.createAccount();
  const write = () => account.rest("POST", "/agent/memories", { body: { content: "A fact" } });
  expect((await write()).status).toBe(200);
  const statuses = new Set<number>();
  let isDeleted = false;
  const writing = Array.from({ length: 8 }, async () => {
    while (!isDeleted) statuses.add((await write()).status);
  });
  await deleteAccount(service.context, account.companyId).finally(() => {
    isDeleted = true;
  });
  await Promise.all(writing);
  expect(Object.values(await rowsOf(account))).toEqual(TABLES.map(() => 0));
  expect([...statuses].filter((status) => status !== 200 && status !== 401)).toEqual([]);
});
