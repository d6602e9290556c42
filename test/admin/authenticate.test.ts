import { describe, expect, test } from "vitest";
import { billingPeriod } from "../../src/domain/account.ts";
import type { CompanyId } from "../../src/domain/ids.ts";
import { DAY, MINUTE, SECOND } from "../../src/domain/instant.ts";
import { createAccount, updateAccount } from "../../src/service/admin/accounts.ts";
import { createApiKey, revokeApiKey } from "../../src/service/admin/api-keys.ts";
import { apiKeyDigest, authenticate } from "../../src/service/authenticate.ts";
import { CALLER_CACHE_MS, CallerCache } from "../../src/service/caller-cache.ts";
import { openTestDatabase, TEST_ENGINES } from "../support/database.ts";
import { forThisFile } from "../support/for-this-file.ts";
import {
  ADDRESS,
  allApiKeys,
  freshCompanyId,
  type TestContext,
  testContext,
} from "./admin-fixture.ts";

const CACHE_LIFE = BigInt(CALLER_CACHE_MS) * 1_000n;

const store = await forThisFile(openTestDatabase(TEST_ENGINES.at(-1)));

function server(): TestContext {
  return { ...testContext(store.database.db), callers: new CallerCache(() => performance.now()) };
}

async function freshKey(context: TestContext) {
  const companyId = freshCompanyId();
  await createAccount(context, { companyId });
  return { companyId, ...(await createApiKey(context, companyId)) };
}

describe("section 5: who calls", () => {
  test("the owner of the key, with the account", async () => {
    const context = server();
    const { companyId, apiKey, secret } = await freshKey(context);
    const account = (await updateAccount(context, companyId, { planTier: "pro" })).account;
    expect(await authenticate(context, secret, ADDRESS)).toEqual({
      companyId,
      credential: "api_key",
      apiKeyId: apiKey.id,
      keyDigest: Buffer.from(apiKeyDigest(secret)).toString("base64"),
      account,
      rights: { rights: ["read", "write", "delete"], tenants: [] },
      find: expect.any(Function),
      // The change of tier looked whether the quota is reached.
      usage: {
        periodStart: account.periodAnchor,
        writesUsed: 0,
        quotaReachedAt: null,
        graceEndsAt: null,
      },
    });
  });

  test("a key that expires is good until then, and never again", async () => {
    const context = server();
    const { companyId } = await freshKey(context);
    const expiresAt = context.time + MINUTE;
    const { secret } = await createApiKey(context, companyId, { name: null, expiresAt });
    context.time = expiresAt - 1n;
    await authenticate(context, secret, ADDRESS);
    // Another server, which has not seen the key before.
    const other = server();
    other.time = expiresAt;
    await expect(authenticate(other, secret, ADDRESS)).rejects.toMatchObject({
      reason: "unauthenticated",
    });
    context.time = expiresAt + SECOND;
    await expect(authenticate(context, secret, ADDRESS)).rejects.toMatchObject({
      reason: "unauthenticated",
    });
  });

  test("a revoked key is refused from the start, and by who knew it once its memory is over", async () => {
    const context = server();
    const { apiKey, secret } = await freshKey(context);
    await authenticate(context, secret, ADDRESS);
    await revokeApiKey(context, context.db, apiKey.id);
    const refusal = { reason: "unauthenticated" };
    await expect(authenticate(server(), secret, ADDRESS)).rejects.toMatchObject(refusal);
    context.time += CACHE_LIFE;
    await expect(authenticate(context, secret, ADDRESS)).rejects.toMatchObject(refusal);
  });
});

test("the usage is of the present billing period, where one of a former anchor began later", async () => {
  const context = server();
  const { companyId, secret } = await freshKey(context);
  await updateAccount(context, companyId, { writesLimit: 5 });
  context.time += CACHE_LIFE;
  const { account } = await updateAccount(context, companyId, {
    periodStart: context.time - 40n * DAY,
    writesLimit: 0,
  });
  const { start } = billingPeriod(account.periodAnchor, context.time);
  const { usage } = await authenticate(context, secret, ADDRESS);
  expect(usage).toMatchObject({ periodStart: start, quotaReachedAt: context.time });
});

describe("last_used_at", () => {
  async function lastUsedAt(context: TestContext, companyId: CompanyId) {
    return (await allApiKeys(context, companyId))[0]?.lastUsedAt;
  }

  test("is noted on the first use, then once a minute", async () => {
    const context = server();
    const { companyId, secret } = await freshKey(context);
    expect(await lastUsedAt(context, companyId)).toBeNull();
    const first = context.time;
    await authenticate(context, secret, ADDRESS);
    expect(await lastUsedAt(context, companyId)).toBe(first);
    context.time = first + MINUTE - SECOND;
    await authenticate(context, secret, ADDRESS);
    expect(await lastUsedAt(context, companyId)).toBe(first);
    context.time = first + MINUTE;
    await authenticate(context, secret, ADDRESS);
    expect(await lastUsedAt(context, companyId)).toBe(first + MINUTE);
  });

  test("of a refused key is not noted", async () => {
    const context = server();
    const { companyId, apiKey, secret } = await freshKey(context);
    await revokeApiKey(context, context.db, apiKey.id);
    await authenticate(context, secret, ADDRESS).catch(() => {});
    expect(await lastUsedAt(context, companyId)).toBeNull();
  });
});
