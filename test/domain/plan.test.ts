import { describe, expect, test } from "vitest";
import {
  type Account,
  checkReadAllowed,
  checkWriteAllowed,
  effectiveLimits,
  planUsage,
  type WriteUsage,
} from "../../src/domain/account.ts";
import { Failure } from "../../src/domain/failure.ts";
import { toCompanyId } from "../../src/domain/ids.ts";
import { DAY, type Instant, MINUTE, SECOND } from "../../src/domain/instant.ts";

const PERIOD_START: Instant = BigInt(Date.UTC(2026, 3, 1)) * 1000n;
const PERIOD_END: Instant = BigInt(Date.UTC(2026, 4, 1)) * 1000n;
const NOW = PERIOD_START + 10n * DAY;

const ACCOUNT: Account = {
  companyId: toCompanyId("acme"),
  orgId: "01890000-0000-7000-8000-000000000000",
  planTier: "starter",
  planStatus: "active",
  writesLimit: 100,
  graceDays: null,
  rate: null,
  burst: null,
  periodAnchor: PERIOD_START,
  createdAt: PERIOD_START,
  suspendedAt: null,
};

const UNUSED: WriteUsage = {
  periodStart: PERIOD_START,
  writesUsed: 0,
  quotaReachedAt: null,
  graceEndsAt: null,
};

describe("D30: limits come from the tier unless the operator set them", () => {
  const unset = { ...ACCOUNT, writesLimit: null };
  test.each([
    ["starter", { writesLimit: 10_000, graceDays: 7, rate: 10, burst: 40 }],
    ["pro", { writesLimit: 100_000, graceDays: 7, rate: 50, burst: 200 }],
  ] as const)("%s", (planTier, limits) => {
    expect(effectiveLimits({ ...unset, planTier })).toEqual(limits);
  });
  test("a limit of the account's own, 0 too", () => {
    const own = { ...ACCOUNT, writesLimit: 0, graceDays: 0, rate: 0.5, burst: 1 };
    expect(effectiveLimits(own)).toEqual({ writesLimit: 0, graceDays: 0, rate: 0.5, burst: 1 });
  });
});

describe("2.7: plan status", () => {
  const reached = { writesUsed: 100, quotaReachedAt: NOW - DAY };
  test.each<
    [
      name: string,
      account: Partial<Account>,
      usage: Partial<WriteUsage>,
      expected: [remaining: number, inGracePeriod: boolean, blocked: boolean],
    ]
  >([
    ["quota reached", {}, reached, [0, true, false]],
    ["more used than a lowered limit", {}, { ...reached, writesUsed: 250 }, [0, true, false]],
    [
      "last moment of grace",
      {},
      { ...reached, quotaReachedAt: NOW - 7n * DAY + 1n },
      [0, true, false],
    ],
    ["grace has ended", {}, { ...reached, quotaReachedAt: NOW - 7n * DAY }, [0, false, true]],
    ["no grace", { graceDays: 0 }, { ...reached, quotaReachedAt: NOW }, [0, false, true]],
    [
      "an end of grace ahead",
      { graceDays: 0 },
      { ...reached, graceEndsAt: NOW + 1n },
      [0, true, false],
    ],
    [
      "an end of grace passed",
      { graceDays: 99 },
      { ...reached, graceEndsAt: NOW },
      [0, false, true],
    ],
    ["limit 0, in the first 7 days", { writesLimit: 0, graceDays: 11 }, {}, [0, true, false]],
    ["limit 0, after them", { writesLimit: 0 }, {}, [0, false, true]],
    ["canceled counts as ever", { planStatus: "canceled" }, reached, [0, true, false]],
  ])("%s", (_name, account, usage, [writesRemaining, inGracePeriod, blocked]) => {
    const status = planUsage({ ...ACCOUNT, ...account }, { ...UNUSED, ...usage }, NOW);
    expect(status).toMatchObject({ writesRemaining, inGracePeriod, blocked });
  });

  const nothingWritten = planUsage(ACCOUNT, UNUSED, NOW);

  test.each([
    ["before", PERIOD_START - 1n],
    ["after", PERIOD_END],
  ])("usage of the period %s says nothing of this one", (_name, periodStart) => {
    const latest = { periodStart, ...reached, graceEndsAt: NOW - DAY };
    expect(planUsage(ACCOUNT, latest, NOW)).toEqual(nothingWritten);
    expect(planUsage(ACCOUNT, null, NOW)).toEqual(nothingWritten);
  });

  test("tells usage, limit and period", () => {
    expect(planUsage(ACCOUNT, { ...UNUSED, writesUsed: 40 }, NOW)).toEqual({
      orgId: ACCOUNT.orgId,
      planTier: "starter",
      planStatus: "active",
      writesUsed: 40,
      writesLimit: 100,
      writesRemaining: 60,
      periodStart: PERIOD_START,
      periodEnd: PERIOD_END,
      inGracePeriod: false,
      blocked: false,
      graceEndsAt: null,
      retryAfterSeconds: 20 * 24 * 3600,
    });
  });

  test.each<[string, Partial<WriteUsage>, Instant | null]>([
    ["quota reached: grace days later", { writesUsed: 100, quotaReachedAt: NOW }, NOW + 7n * DAY],
    [
      "set by the operator",
      { writesUsed: 100, quotaReachedAt: NOW, graceEndsAt: NOW + DAY },
      NOW + DAY,
    ],
    ["set, quota not reached", { graceEndsAt: NOW + DAY }, NOW + DAY],
    ["quota not reached", { writesUsed: 99 }, null],
  ])("end of grace, %s", (_name, usage, graceEndsAt) => {
    expect(planUsage(ACCOUNT, { ...UNUSED, ...usage }, NOW).graceEndsAt).toBe(graceEndsAt);
  });

  test.each([
    ["a minute before", PERIOD_END - MINUTE, 60],
    ["rounded up", PERIOD_END - SECOND - 1n, 2],
    ["never 0", PERIOD_END - 1n, 1],
  ])("seconds to the next period: %s", (_name, now, seconds) => {
    expect(planUsage(ACCOUNT, UNUSED, now).retryAfterSeconds).toBe(seconds);
  });
});

describe("D30, D31: what a plan admits", () => {
  const usages = {
    within: UNUSED,
    exhausted: { ...UNUSED, writesUsed: 100, quotaReachedAt: NOW },
    blocked: { ...UNUSED, writesUsed: 100, quotaReachedAt: NOW - 7n * DAY },
  };
  test.each<
    [Account["planStatus"], keyof typeof usages, write: string | null, read: string | null]
  >([
    ["active", "within", null, null],
    ["canceled", "within", "plan_canceled", null],
    ["active", "exhausted", "write_quota_exceeded", null],
    // Waiting would not help: the 403 goes before the 429.
    ["canceled", "exhausted", "plan_canceled", null],
    ["active", "blocked", "plan_blocked", "plan_blocked"],
    ["canceled", "blocked", "plan_canceled", "plan_blocked"],
  ])("%s and %s: write %s, read %s", (planStatusOfAccount, usage, write, read) => {
    const account = { ...ACCOUNT, planStatus: planStatusOfAccount };
    const status = planUsage(account, usages[usage], NOW);
    expect(reasonOf(() => checkWriteAllowed(status))).toBe(write);
    expect(reasonOf(() => checkReadAllowed(status))).toBe(read);
  });

  test("a 429 of the plan says when the next period begins", () => {
    const seconds = 20 * 24 * 3600;
    const exhausted = planUsage(ACCOUNT, usages.exhausted, NOW);
    const blocked = planUsage(ACCOUNT, usages.blocked, NOW);
    expect(failureOf(() => checkWriteAllowed(exhausted))).toMatchObject({
      retryAfterSeconds: seconds,
      message: expect.stringContaining("2026-05-01T00:00:00"),
    });
    expect(failureOf(() => checkReadAllowed(blocked))?.retryAfterSeconds).toBe(seconds);
  });
});

function failureOf(check: () => void): Failure | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function reasonOf(check: () => void): string | null {
  return failureOf(check)?.reason ?? null;
}
