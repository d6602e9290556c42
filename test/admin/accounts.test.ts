import { describe, expect, onTestFinished, test } from "vitest";
import { billingPeriod } from "../../src/domain/account.ts";
import { type CompanyId, toCompanyId } from "../../src/domain/ids.ts";
import { DAY, type Instant } from "../../src/domain/instant.ts";
import {
  type AccountChange,
  createAccount,
  getAccount,
  listAccounts,
  updateAccount,
} from "../../src/service/admin/accounts.ts";
import { transaction } from "../../src/storage/transaction.ts";
import { admitWrites } from "../../src/storage/write-usage.ts";
import { openTestDatabase, TEST_ENGINES } from "../support/database.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { freshCompanyId, type TestContext, testContext } from "./admin-fixture.ts";

const store = await forThisFile(openTestDatabase(TEST_ENGINES.at(-1)));

/** Counts writes as use cases do. */
async function write(context: TestContext, companyId: CompanyId, writes: number): Promise<number> {
  const { account, limits } = await getAccount(context, companyId);
  return transaction(context.db.of(companyId), (trx) =>
    admitWrites(trx, {
      periodStart: billingPeriod(account.periodAnchor, context.now()).start,
      writesLimit: limits.writesLimit,
      wanted: writes,
      now: context.now(),
    }),
  );
}

describe("a new account", () => {
  test("is an active starter whose first period begins now", async () => {
    const context = testContext(store.database.db);
    const companyId = freshCompanyId();
    const created = await createAccount(context, { companyId });
    expect(created.account).toMatchObject({
      companyId,
      planTier: "starter",
      planStatus: "active",
      periodAnchor: context.time,
      createdAt: context.time,
    });
    expect(created.usage).toMatchObject({
      writesUsed: 0,
      writesLimit: 10_000,
      writesRemaining: 10_000,
      periodStart: context.time,
    });
    expect(await getAccount(context, companyId)).toEqual(created);
  });

  test("is made once, however many ask at once", async () => {
    const context = testContext(store.database.db);
    const companyId = freshCompanyId();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => createAccount(context, { companyId })),
    );
    const created = outcomes.filter(({ status }) => status === "fulfilled");
    const reasons = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason.reason] : [],
    );
    expect(created).toHaveLength(1);
    expect(reasons).toEqual(Array(9).fill("account_exists"));
  });
});

describe("D30: the operator sets every limit of an account", () => {
  test.each<[string, AccountChange]>([
    ["writes_limit", { writesLimit: -1 }],
    ["writes_limit", { writesLimit: 2_147_483_648 }],
    ["grace_days", { graceDays: -1 }],
    ["rate", { rate: 0 }],
    ["rate", { rate: Number.NaN }],
    ["burst", { burst: 0 }],
    ["period_start", { periodStart: BigInt(Date.now()) * 1_000n + DAY }],
  ])("%s outside its rule is refused and changes nothing: %o", async (field, change) => {
    const context = testContext(store.database.db);
    const companyId = freshCompanyId();
    const created = await createAccount(context, { companyId });
    await expect(
      updateAccount(context, companyId, { rate: 1, burst: 1, ...change }),
    ).rejects.toMatchObject({ reason: "invalid_field", field });
    expect(await getAccount(context, companyId)).toEqual(created);
  });

  test.each<AccountChange>([
    { planTier: "pro" },
    { writesLimit: 0 },
    { graceDays: 0 },
    { rate: 0.001 },
    { burst: 1 },
    { writesLimit: null },
  ])("what is given is stored, the rest stays: %o", async (change) => {
    const context = testContext(store.database.db);
    const companyId = freshCompanyId();
    const created = await createAccount(context, { companyId });
    const updated = await updateAccount(context, companyId, change);
    expect(updated.account).toEqual({ ...created.account, ...change });
    expect(await getAccount(context, companyId)).toEqual(updated);
  });

  test("an own limit that is cleared follows the tier again, the others stay", async () => {
    const context = testContext(store.database.db);
    const companyId = freshCompanyId();
    const own = { writesLimit: 5, graceDays: 1, rate: 2, burst: 3 };
    await createAccount(context, { companyId, ...own });
    const tier = { writesLimit: 10_000, graceDays: 7, rate: 10, burst: 40 };
    for (const name of ["writesLimit", "graceDays", "rate", "burst"] as const) {
      const { account, limits } = await updateAccount(context, companyId, { [name]: null });
      expect(account[name]).toBeNull();
      expect(limits).toEqual({ ...own, [name]: tier[name] });
      await updateAccount(context, companyId, { [name]: own[name] });
    }
  });
});

describe("3.2: the quota as the operator moves it", () => {
  /** An account of 10 writes a period that has used them, a day ago. */
  async function exhausted(context: TestContext): Promise<{ companyId: CompanyId; at: Instant }> {
    const companyId = freshCompanyId();
    await createAccount(context, { companyId, writesLimit: 10 });
    expect(await write(context, companyId, 10)).toBe(10);
    const at = context.time;
    context.time += DAY;
    const { usage } = await getAccount(context, companyId);
    expect(usage).toMatchObject({ inGracePeriod: true, graceEndsAt: at + 7n * DAY });
    return { companyId, at };
  }

  test("a limit above usage reopens the account, and grace starts anew when it is reached", async () => {
    const context = testContext(store.database.db);
    const { companyId } = await exhausted(context);
    const raised = await updateAccount(context, companyId, { writesLimit: 12 });
    expect(raised.usage).toMatchObject({
      writesRemaining: 2,
      inGracePeriod: false,
      graceEndsAt: null,
    });
    expect(await write(context, companyId, 5)).toBe(2);
    const { usage } = await getAccount(context, companyId);
    expect(usage).toMatchObject({ inGracePeriod: true, graceEndsAt: context.time + 7n * DAY });
  });

  test.each([9, 0])("a limit lowered from 20 to %i of 10 used starts grace now", async (limit) => {
    const context = testContext(store.database.db);
    const companyId = freshCompanyId();
    await createAccount(context, { companyId, writesLimit: 20 });
    await write(context, companyId, 10);
    context.time += DAY;
    const { usage } = await updateAccount(context, companyId, { writesLimit: limit });
    expect(usage).toMatchObject({
      writesRemaining: 0,
      inGracePeriod: true,
      graceEndsAt: context.time + 7n * DAY,
    });
  });

  test("another start of the period counts from 0, the same one goes on counting", async () => {
    const context = testContext(store.database.db);
    const { companyId } = await exhausted(context);
    const periodStart = context.time - 40n * DAY;
    const moved = await updateAccount(context, companyId, { periodStart });
    const { start } = billingPeriod(periodStart, context.time);
    expect(moved.account.periodAnchor).toBe(periodStart);
    expect(moved.usage).toMatchObject({
      periodStart: start,
      writesUsed: 0,
      inGracePeriod: false,
      graceEndsAt: null,
    });
    expect(await write(context, companyId, 4)).toBe(4);
    const same = await updateAccount(context, companyId, { periodStart: start });
    expect(same.usage).toMatchObject({ periodStart: start, writesUsed: 4 });
  });

  test("back at a start whose period had reached its quota, the present limit counts", async () => {
    const context = testContext(store.database.db);
    const { companyId, at } = await exhausted(context);
    await updateAccount(context, companyId, { periodStart: at - DAY, writesLimit: 12 });
    const back = await updateAccount(context, companyId, { periodStart: at });
    expect(back.usage).toMatchObject({ writesUsed: 10, writesRemaining: 2, inGracePeriod: false });
    await write(context, companyId, 2);
    const { usage } = await getAccount(context, companyId);
    expect(usage).toMatchObject({ inGracePeriod: true, graceEndsAt: context.time + 7n * DAY });
  });
});

describe("the list of accounts", () => {
  test("shows of each what is shown of it alone, in two statements", async () => {
    const statements: string[] = [];
    const logged = await openTestDatabase(TEST_ENGINES.at(-1), {
      log: ({ query }) => statements.push(query.sql),
    });
    onTestFinished(() => logged.close());
    const context = testContext(logged.database.db);
    const start = context.time;
    const [idle, used, ended] = [toCompanyId("a"), toCompanyId("b"), toCompanyId("c")];
    const [moved, back] = [toCompanyId("d"), toCompanyId("e")];
    for (const companyId of [idle, used, ended, moved, back]) {
      await createAccount(context, { companyId, writesLimit: 10 });
    }
    await write(context, ended, 10);
    await write(context, moved, 3);
    await write(context, back, 4);
    context.time += 31n * DAY;
    await write(context, used, 2);
    await write(context, moved, 5);
    await write(context, back, 6);
    // An earlier start than one that has usage already, and then that one again.
    await updateAccount(context, moved, { periodStart: start - 2n * DAY });
    await write(context, moved, 1);
    await updateAccount(context, back, { periodStart: start - 2n * DAY });
    await write(context, back, 1);
    await updateAccount(context, back, { periodStart: start });

    statements.length = 0;
    const first = await listAccounts(context, { pageSize: 4, pageToken: null });
    // The accounts, and the usage of all of them.
    expect(statements).toHaveLength(2);
    const second = await listAccounts(context, { pageSize: 4, pageToken: first.nextPageToken });
    expect(second.nextPageToken).toBeNull();
    const listed = [...first.entries, ...second.entries];
    expect(listed.map(({ usage }) => usage.writesUsed)).toEqual([0, 2, 0, 1, 6]);
    for (const overview of listed) {
      expect(await getAccount(context, overview.account.companyId)).toEqual(overview);
    }
  });
});
