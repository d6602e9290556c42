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

  /** Calls on both servers all the time, so that both always remember the callers. */
  async function keepCallingForASecond(secrets: readonly string[]): Promise<void> {
    const end = Date.now() + 1_000;
    while (Date.now() < end) {
      const calls = secrets.flatMap((secret) =>
        servers.map((each) => authenticate(each, secret, ADDRESS)),
      );
      await Promise.allSettled(calls);
      await sleep(20);
    }
  }

  test("what changes on one holds on both within a second: a revocation, a suspension, a plan", async () => {
    const [revoked, suspended, changed] = [await freshKey(), await freshKey(), await freshKey()];
    const all = [revoked, suspended, changed];
    for (const { secret } of all) {
      for (const each of servers) await authenticate(each, secret, ADDRESS);
    }
    await revokeApiKey(servers[0], servers[0].db, revoked.apiKey.id);
    await suspendAccount(servers[0], suspended.companyId, true);
    await updateAccount(servers[0], changed.companyId, { rate: 3 });
    await keepCallingForASecond(all.map(({ secret }) => secret));
    for (const each of servers) {
      await expect(authenticate(each, revoked.secret, ADDRESS)).rejects.toMatchObject({
        reason: "unauthenticated",
      });
      const caller = await authenticate(each, suspended.secret, ADDRESS);
      await expect(confirmCaller(each, caller)).rejects.toMatchObject({
        reason: "account_suspended",
      });
      expect((await authenticate(each, changed.secret, ADDRESS)).account.rate).toBe(3);
    }
  });
});
