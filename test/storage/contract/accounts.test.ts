import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Account } from "../../../src/domain/account.ts";
import { billingPeriod } from "../../../src/domain/billing-period.ts";
import { type CompanyId, toCompanyId } from "../../../src/domain/ids.ts";
import { DAY, type Instant } from "../../../src/domain/instant.ts";
import {
  findAccount,
  hasAccounts,
  insertAccount,
  lockAccount,
  selectAccounts,
  setSuspension,
  storeAccount,
} from "../../../src/storage/accounts.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import {
  admitWrites,
  findLatestUsage,
  findLatestUsages,
} from "../../../src/storage/write-usage.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { accountOf, instant, minutes, NOW, newAccount, newCompanyId } from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("accounts on %s", (engine) => {
  const contract = useStorage(engine, [
    "findLatestUsages",
    "hasAccounts",
    "selectAccounts, first page",
  ]);

  test("an account comes back as it was stored", async () => {
    const account = accountOf(newCompanyId(), {
      planTier: "pro",
      planStatus: "past_due",
      writesLimit: 12,
      graceDays: 0,
      rate: 2.5,
      burst: 7,
      periodAnchor: instant("0001-01-01T00:00:00Z"),
      createdAt: instant("9999-12-31T23:59:59.999999Z"),
    });
    expect(await insertAccount(contract.db.of(account.companyId), account)).toBe(true);
    expect(await findAccount(contract.db.of(account.companyId))).toEqual(account);
  });

  test("a second account of the same company_id changes nothing", async () => {
    const first = await newAccount(contract.db);
    const { companyId } = first;
    const second = accountOf(companyId, { burst: 1 });
    expect(await insertAccount(contract.db.of(companyId), second)).toBe(false);
    expect(await findAccount(contract.db.of(first.companyId))).toEqual(first);
  });

  test("of many that create the same account at once, one does", async () => {
    const companyId = newCompanyId();
    const results = await Promise.all(
      Array.from({ length: 8 }, () =>
        insertAccount(contract.db.of(companyId), accountOf(companyId)),
      ),
    );
    expect(results.filter((inserted) => inserted)).toHaveLength(1);
  });

  test("an unknown account is null", async () => {
    expect(await findAccount(contract.db.of(newCompanyId()))).toBeNull();
    await transaction(contract.db.of(newCompanyId()), async (trx) => {
      expect(await lockAccount(trx)).toBeNull();
    });
  });

  test("an update stores every changeable field, and only those", async () => {
    const before = await newAccount(contract.db);
    const change = {
      planTier: "pro",
      planStatus: "canceled",
      writesLimit: 5,
      graceDays: 3,
      rate: 0.5,
      burst: 2,
      periodAnchor: NOW + minutes(1),
    } as const;
    const updated = { ...before, ...change, orgId: randomUUID(), createdAt: NOW + 1n };
    await transaction(contract.db.of(before.companyId), (trx) => storeAccount(trx, updated));
    expect(await findAccount(contract.db.of(before.companyId))).toEqual({ ...before, ...change });
  });

  test("a suspension keeps its first time, and no update of the account changes it", async () => {
    const before = await newAccount(contract.db);
    const db = contract.db.of(before.companyId);
    const suspended = { ...before, suspendedAt: NOW };
    expect(await setSuspension(db, NOW)).toEqual(suspended);
    expect(await setSuspension(db, NOW + minutes(1))).toEqual(suspended);
    await transaction(db, (trx) => storeAccount(trx, { ...before, burst: 3 }));
    expect(await findAccount(db)).toEqual({ ...suspended, burst: 3 });
    expect(await setSuspension(db, null)).toEqual({ ...before, burst: 3 });
    expect(await setSuspension(contract.db.of(newCompanyId()), NOW)).toBeNull();
  });

  test("changes that lock first do not lose each other", async () => {
    const { companyId } = await newAccount(contract.db, { burst: 0 });
    await Promise.all(
      Array.from({ length: 12 }, () =>
        transaction(contract.db.of(companyId), async (trx) => {
          const account = await lockAccount(trx);
          if (account === null) throw new Error("unreachable: the account is stored");
          await storeAccount(trx, { ...account, burst: (account.burst ?? 0) + 1 });
        }),
      ),
    );
    expect((await findAccount(contract.db.of(companyId)))?.burst).toBe(12);
  });

  test("pages run through all accounts once, byte by byte in order", async () => {
    const prefix = newCompanyId();
    // A locale would sort these in another order.
    const companyIds = ["B", "a", "_", "é", "b"].map((suffix) =>
      toCompanyId(`${prefix}-${suffix}`),
    );
    for (const companyId of companyIds)
      await insertAccount(contract.db.of(companyId), accountOf(companyId));

    const seen: string[] = [];
    let afterCompanyId: CompanyId | null = null;
    for (;;) {
      const page: Account[] = await selectAccounts(contract.db, { afterCompanyId, limit: 2 });
      expect(page.length).toBeLessThanOrEqual(2);
      const last = page.at(-1);
      if (last === undefined) break;
      seen.push(...page.map(({ companyId }) => companyId));
      afterCompanyId = last.companyId;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((companyId) => companyId.startsWith(prefix))).toEqual(
      ["B", "_", "a", "b", "é"].map((suffix) => `${prefix}-${suffix}`),
    );
  });

  test.for([
    "2026-05-04T03:02:01.123457Z",
    "2024-01-31T23:59:59.999999Z",
    "2024-02-29T00:00:00Z",
    "2025-12-30T12:00:00Z",
  ])("each has its usage of the latest period from its anchor (%s)", async (anchor) => {
    const prefix = newCompanyId();
    const [none, some] = [toCompanyId(`${prefix}-1`), toCompanyId(`${prefix}-2`)];
    const periodAnchor = instant(anchor);
    for (const companyId of [none, some]) {
      await insertAccount(contract.db.of(companyId), accountOf(companyId, { periodAnchor }));
    }
    const record = (periodStart: Instant, wanted: number) =>
      transaction(contract.db.of(some), (trx) =>
        admitWrites(trx, { periodStart, writesLimit: 99, wanted, now: NOW }),
      );
    let period = billingPeriod(periodAnchor, periodAnchor);
    for (let month = 1; month <= 14; month++) {
      await record(period.start, month);
      // One of an anchor that the account had before.
      await record(period.start + DAY, 50);
      const usage = { periodStart: period.start, writesUsed: month };
      expect(await findLatestUsage(contract.db.of(none))).toBeNull();
      expect(await findLatestUsage(contract.db.of(some))).toMatchObject(usage);
      const usages = await findLatestUsages(contract.db, [none, some]);
      expect([...usages]).toEqual([[some, expect.objectContaining(usage)]]);
      period = billingPeriod(periodAnchor, period.end);
    }
  });

  test("a database with an account has accounts", async () => {
    await newAccount(contract.db);
    expect(await hasAccounts(contract.db)).toBe(true);
  });
});
