import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount, suspendAccount, updateAccount } from "../../src/service/admin/accounts.ts";
import { createApiKey, revokeApiKey } from "../../src/service/admin/api-keys.ts";
import { authenticate, confirmCaller } from "../../src/service/authenticate.ts";
import { CallerCache } from "../../src/service/caller-cache.ts";
import type { ServiceContext } from "../../src/service/context.ts";
import { type Database, openDatabase } from "../../src/storage/database.ts";
import { openTestDatabase, TEST_ENGINES, type TestDatabase } from "../support/database.ts";
import { ADDRESS, freshCompanyId, testContext } from "./admin-fixture.ts";

describe.skipIf(!TEST_ENGINES.includes("postgres"))("two servers on one database", () => {
  let store: TestDatabase;
  let other: Database;
  let servers: readonly [ServiceContext, ServiceContext];

  beforeAll(async () => {
    store = await openTestDatabase("postgres");
    other = await openDatabase(store.location);
    servers = [server(store.database), server(other)];
  });
  afterAll(async () => {
    await other.close();
    await store.close();
  });

  function server({ db }: Database): ServiceContext {
    return {
      ...testContext(db),
      now: () => BigInt(Date.now()) * 1_000n,
      callers: new CallerCache(() => performance.now()),
    };
  }

  async function freshKey() {
    const companyId = freshCompanyId();
    await createAccount(servers[0], { companyId });
    return { companyId, ...(await createApiKey(servers[0], companyId)) };
  }

  /** Calls on both servers all the time, so that both always remember the caller. */
  async function keepCallingForASecond(secret: string): Promise<void> {
    const end = Date.now() + 1_000;
    while (Date.now() < end) {
      await Promise.allSettled(servers.map((each) => authenticate(each, secret, ADDRESS)));
      await sleep(20);
    }
  }

  test("a key revoked on one is refused by both within a second", async () => {
    const { apiKey, secret } = await freshKey();
    for (const each of servers) await authenticate(each, secret, ADDRESS);
    await revokeApiKey(servers[0], servers[0].db, apiKey.id);
    await keepCallingForASecond(secret);
    for (const each of servers) {
      await expect(authenticate(each, secret, ADDRESS)).rejects.toMatchObject({
        reason: "unauthenticated",
      });
    }
  });

  test("an account suspended on one is known to be on both within a second", async () => {
    const { companyId, secret } = await freshKey();
    for (const each of servers) await authenticate(each, secret, ADDRESS);
    await suspendAccount(servers[0], companyId, true);
    await keepCallingForASecond(secret);
    for (const each of servers) {
      const caller = await authenticate(each, secret, ADDRESS);
      expect(caller.account.suspendedAt).not.toBeNull();
      await expect(confirmCaller(each, caller)).rejects.toMatchObject({
        reason: "account_suspended",
      });
    }
  });

  test("a plan changed on one holds on both within a second", async () => {
    const { companyId, secret } = await freshKey();
    for (const each of servers) await authenticate(each, secret, ADDRESS);
    await updateAccount(servers[0], companyId, { rate: 3 });
    await keepCallingForASecond(secret);
    for (const each of servers) {
      expect((await authenticate(each, secret, ADDRESS)).account.rate).toBe(3);
    }
  });
});
