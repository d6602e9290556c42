import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { CompanyId } from "../../../src/domain/ids.ts";
import { findAccount, storeAccount } from "../../../src/storage/accounts.ts";
import type { Schema } from "../../../src/storage/schema.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { newAccount, violates } from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("transactions on %s", (engine) => {
  const contract = useStorage(engine);

  test("other requests see nothing of an open transaction, and are no part of it", async () => {
    const account = await newAccount(contract.db);
    const other = await newAccount(contract.db);
    const outside: Promise<void>[] = [];
    const failing = transaction(contract.db.of(account.companyId), async (trx) => {
      await storeAccount(trx, { ...account, burst: 1 });
      // Not awaited: with a single connection it runs once this one has ended.
      outside.push(setBurst(contract.db, other.companyId, 2));
      await sleep(20);
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await Promise.all(outside);
    expect((await findAccount(contract.db.of(account.companyId)))?.burst).toBeNull();
    expect((await findAccount(contract.db.of(other.companyId)))?.burst).toBe(2);
  });

  test("a statement that fails spoils its transaction and not the connection", async () => {
    const account = await newAccount(contract.db);
    for (let round = 0; round < 5; round++) {
      const failing = transaction(contract.db, async (trx) => {
        await trx
          .updateTable("accounts")
          .set({ burst: -1 })
          .where("company_id", "=", account.companyId)
          .execute();
      });
      await expect(failing).rejects.toSatisfy(violates("a burst is not negative"));
    }
    expect(await findAccount(contract.db.of(account.companyId))).toEqual(account);
  });

  test("a connection that is given back inside a transaction takes it along", async () => {
    const account = await newAccount(contract.db);
    await contract.db.connection().execute(async (connection) => {
      await sql`begin`.execute(connection);
      await setBurst(connection, account.companyId, 1);
    });
    const other = await newAccount(contract.db);
    await sql`rollback`.execute(contract.db);
    expect(await findAccount(contract.db.of(account.companyId))).toEqual(account);
    expect(await findAccount(contract.db.of(other.companyId))).toEqual(other);
  });

  test("transactions that lock in opposite orders both succeed", async () => {
    const a = await newAccount(contract.db, { burst: 0 });
    const b = await newAccount(contract.db, { burst: 0 });
    const raise = (companyIds: readonly CompanyId[]) =>
      transaction(contract.db, async (trx) => {
        for (const companyId of companyIds) {
          await trx
            .updateTable("accounts")
            .set(({ eb }) => ({ burst: eb("burst", "+", 1) }))
            .where("company_id", "=", companyId)
            .execute();
          await sleep(30);
        }
      });
    await Promise.all([raise([a.companyId, b.companyId]), raise([b.companyId, a.companyId])]);
    for (const { companyId } of [a, b]) {
      expect((await findAccount(contract.db.of(companyId)))?.burst).toBe(2);
    }
  });
});

/** Of one statement, outside of any transaction of its own. */
async function setBurst(db: Kysely<Schema>, companyId: CompanyId, burst: number): Promise<void> {
  await db.updateTable("accounts").set({ burst }).where("company_id", "=", companyId).execute();
}
