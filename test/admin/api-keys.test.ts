import { createHash } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ApiKey } from "../../src/domain/account.ts";
import { isWellFormedApiKey, RIGHTS } from "../../src/domain/api-key.ts";
import type { CompanyId } from "../../src/domain/ids.ts";
import {
  createAccount,
  ensureLocalAccount,
  LOCAL_COMPANY_ID,
} from "../../src/service/admin/accounts.ts";
import {
  createApiKey,
  listApiKeys,
  MAX_API_KEYS,
  revokeApiKey,
} from "../../src/service/admin/api-keys.ts";
import type { Page } from "../../src/service/page-token.ts";
import { openTestDatabase, TEST_ENGINES } from "../support/database.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { allApiKeys, freshCompanyId, type TestContext, testContext } from "./admin-fixture.ts";

const store = await forThisFile(openTestDatabase(TEST_ENGINES.at(-1)));

async function freshAccount(context: TestContext): Promise<CompanyId> {
  const companyId = freshCompanyId();
  await createAccount(context, { companyId });
  return companyId;
}

describe("the account `local`", () => {
  async function emptyDatabase(): Promise<TestContext> {
    const empty = await openTestDatabase(TEST_ENGINES.at(-1));
    onTestFinished(() => empty.close());
    return testContext(empty.database.db);
  }

  test("is made in an empty database, once, also when servers start together", async () => {
    const context = await emptyDatabase();
    const secrets = await Promise.all([
      ensureLocalAccount(context),
      ensureLocalAccount(context),
      ensureLocalAccount(context),
    ]);
    const issued = secrets.filter((secret) => secret !== null);
    expect(issued).toHaveLength(1);
    expect(isWellFormedApiKey(issued[0] ?? "")).toBe(true);
    expect(await allApiKeys(context, LOCAL_COMPANY_ID)).toMatchObject([{ rights: RIGHTS }]);
    expect(await ensureLocalAccount(context)).toBeNull();
  });

  test("is not made where there are accounts", async () => {
    const context = await emptyDatabase();
    await freshAccount(context);
    expect(await ensureLocalAccount(context)).toBeNull();
    await expect(allApiKeys(context, LOCAL_COMPANY_ID)).rejects.toMatchObject({
      reason: "account_not_found",
    });
  });
});

describe("section 5 rule 2: API keys", () => {
  test("the key itself is nowhere in the database, its SHA-256 is", async () => {
    const context = testContext(store.database.db);
    const companyId = await freshAccount(context);
    const { apiKey, secret } = await createApiKey(context, companyId);
    const rows = await sql<{ row: string; digest: Uint8Array }>`
      select api_keys::text as row, digest from api_keys where id = ${apiKey.id}`.execute(
      store.database.db,
    );
    const [stored] = rows.rows;
    expect(stored?.row).not.toContain(secret.slice(12));
    expect(Buffer.from(stored?.digest ?? [])).toEqual(createHash("sha256").update(secret).digest());
    expect(apiKey.prefix).toBe(secret.slice(0, 12));
  });

  test("do not end in the past, and their names are kept", async () => {
    const context = testContext(store.database.db);
    const companyId = await freshAccount(context);
    const late = { name: "late", expiresAt: context.time };
    await expect(createApiKey(context, companyId, late)).rejects.toMatchObject({
      reason: "invalid_field",
      field: "expires_at",
    });
    const named = { name: "the crawler", expiresAt: context.time + 1n };
    const { apiKey } = await createApiKey(context, companyId, named);
    expect(apiKey).toMatchObject(named);
    expect(await allApiKeys(context, companyId)).toEqual([apiKey]);
  });

  test("are listed page by page, also those of one moment", async () => {
    const context = testContext(store.database.db);
    const companyId = await freshAccount(context);
    for (let key = 0; key < 5; key++) await createApiKey(context, companyId);
    const listed: ApiKey[] = [];
    let pageToken: string | null = null;
    do {
      const page: Page<ApiKey> = await listApiKeys(context, companyId, { pageSize: 2, pageToken });
      expect(page.entries.length).toBeLessThanOrEqual(2);
      listed.push(...page.entries);
      pageToken = page.nextPageToken;
    } while (pageToken !== null);
    expect(listed).toHaveLength(5);
    expect(listed).toEqual(await allApiKeys(context, companyId));
  });

  test("of no account, or no key", async () => {
    const context = testContext(store.database.db);
    const missing = { reason: "account_not_found" };
    await expect(createApiKey(context, freshCompanyId())).rejects.toMatchObject(missing);
    await expect(allApiKeys(context, freshCompanyId())).rejects.toMatchObject(missing);
    await expect(revokeApiKey(context, context.db, context.newId())).rejects.toMatchObject({
      reason: "api_key_not_found",
    });
  });

  test("an account has at most MAX_API_KEYS, however many are asked for at once", async () => {
    const context = testContext(store.database.db);
    const companyId = await freshAccount(context);
    await sql`
      insert into api_keys (company_id, id, digest, prefix, created_at)
      select ${companyId}, gen_random_uuid(), sha256(n::text::bytea), 'svc_00000000', now()
      from generate_series(1, ${MAX_API_KEYS - 1}::int) n`.execute(store.database.db);
    // D48: keys from before there were rights may do all.
    expect((await allApiKeys(context, companyId))[0]).toMatchObject({
      rights: RIGHTS,
      tenants: [],
    });
    const outcomes = await Promise.allSettled([
      createApiKey(context, companyId),
      createApiKey(context, companyId),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { reason: "invalid_field", field: "company_id" },
    });
  });
});
