import { describe, expect, test } from "vitest";
import { Failure } from "../../src/domain/failure.ts";
import { toCompanyId } from "../../src/domain/ids.ts";
import {
  costOfBody,
  costOfRows,
  createRateLimiter,
  MAX_RATE_DEBT_SECONDS,
  MAX_RATE_LIMIT_BUCKETS,
  type RateLimiter,
} from "../../src/edge/rate-limit.ts";
import type { KnownCaller } from "../../src/service/context.ts";
import { ACCOUNT, caller } from "./rate-limit-callers.ts";

/** How many of `requests` are admitted when they come all at once. */
function admitted(limiter: RateLimiter, from: KnownCaller, requests: number): number {
  let count = 0;
  for (let i = 0; i < requests; i++) {
    if (refusal(limiter, from) === null) count++;
  }
  return count;
}

function refusal(limiter: RateLimiter, from: KnownCaller): Failure | null {
  try {
    limiter.admit(from);
    return null;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

describe("section 8, D30: requests a second for each API key", () => {
  let nowMs = 0;
  function advance(ms: number): void {
    nowMs += ms;
  }

  test.each([
    ["starter", 40, 10],
    ["pro", 200, 50],
  ] as const)("%s: %i at once, then %i a second", (planTier, burst, rate) => {
    const limiter = createRateLimiter(() => nowMs);
    const key = caller("a", { planTier });
    expect(admitted(limiter, key, burst + 5)).toBe(burst);
    advance(1_000);
    expect(admitted(limiter, key, burst)).toBe(rate);
    advance(3_600_000);
    expect(admitted(limiter, key, burst + 5)).toBe(burst);
  });

  test("limits of the account's own", () => {
    const limiter = createRateLimiter(() => nowMs);
    const key = caller("a", { rate: 2, burst: 3 });
    expect(admitted(limiter, key, 10)).toBe(3);
    advance(1_000);
    expect(admitted(limiter, key, 10)).toBe(2);
  });

  test("a refusal tells the whole seconds to wait, and the wait suffices", () => {
    const limiter = createRateLimiter(() => nowMs);
    const slow = caller("slow", { rate: 0.3, burst: 1 });
    expect(refusal(limiter, slow)).toBeNull();
    const refused = refusal(limiter, slow);
    expect(refused).toMatchObject({ reason: "rate_limited", retryAfterSeconds: 4 });
    advance(4_000);
    expect(refusal(limiter, slow)).toBeNull();

    const fast = caller("fast", { rate: 1_000, burst: 1 });
    limiter.admit(fast);
    expect(refusal(limiter, fast)?.retryAfterSeconds).toBe(1);
  });

  test("a refused request takes nothing from the bucket", () => {
    const limiter = createRateLimiter(() => nowMs);
    const key = caller("a", { rate: 1, burst: 1 });
    expect(admitted(limiter, key, 1_000)).toBe(1);
    advance(1_000);
    expect(admitted(limiter, key, 1_000)).toBe(1);
  });

  test("what is heavy is charged beside, and puts the next request off by no more than is named", () => {
    const limiter = createRateLimiter(() => nowMs);
    const key = caller("a", { rate: 10, burst: 40 });
    limiter.admit(key);
    limiter.charge(key, 30);
    expect(admitted(limiter, key, 40)).toBe(9);
    // Of a bucket that is empty it is a debt.
    limiter.charge(key, 15);
    expect(refusal(limiter, key)?.retryAfterSeconds).toBe(2);
    advance(1_500);
    expect(refusal(limiter, key)).not.toBeNull();
    advance(100);
    expect(admitted(limiter, key, 40)).toBe(1);
    for (let i = 0; i < 100; i++) limiter.charge(key, 16);
    const debtSeconds = MAX_RATE_DEBT_SECONDS + 1 / 10;
    expect(refusal(limiter, key)?.retryAfterSeconds).toBe(Math.ceil(debtSeconds));
    advance(debtSeconds * 1_000);
    expect(admitted(limiter, key, 40)).toBe(1);
  });

  test("a light body and a short list cost nothing beside", () => {
    expect([0, 1, 65_536].map(costOfBody)).toEqual([0, 0, 0]);
    expect([65_537, 131_072, 131_073, 1_048_576].map(costOfBody)).toEqual([1, 1, 2, 15]);
    expect([0, 250].map(costOfRows)).toEqual([0, 0]);
    expect([251, 500, 501, 1_000].map(costOfRows)).toEqual([1, 1, 2, 3]);
  });

  test("each key of an account has a bucket of its own", () => {
    const limiter = createRateLimiter(() => nowMs);
    expect(admitted(limiter, caller("a"), 50)).toBe(40);
    expect(admitted(limiter, caller("b"), 50)).toBe(40);
  });

  test("a changed limit applies to the next request", () => {
    const limiter = createRateLimiter(() => nowMs);
    expect(admitted(limiter, caller("a", { rate: 1, burst: 5 }), 10)).toBe(5);
    advance(2_000);
    // The two seconds before the change count at the rate that held then.
    expect(admitted(limiter, caller("a", { rate: 100, burst: 200 }), 10)).toBe(2);
    advance(1_000);
    expect(admitted(limiter, caller("a", { rate: 100, burst: 200 }), 300)).toBe(100);
    advance(3_600_000);
    expect(admitted(limiter, caller("a", { rate: 100, burst: 3 }), 300)).toBe(3);
  });

  test("of too many keys the one that was idle longest is forgotten", () => {
    const limiter = createRateLimiter(() => nowMs);
    const [first, second] = [caller("first"), caller("second")];
    expect(admitted(limiter, first, 40)).toBe(40);
    expect(admitted(limiter, second, 40)).toBe(40);
    expect(refusal(limiter, first)).not.toBeNull();
    for (let i = 2; i <= MAX_RATE_LIMIT_BUCKETS; i++) limiter.admit(caller(`key ${i}`));
    expect(refusal(limiter, first)).not.toBeNull();
    expect(refusal(limiter, second)).toBeNull();
  });

  test("the account that has none is limited once the operator gives it a limit, and no other is free of it", () => {
    const limiter = createRateLimiter(() => nowMs, ACCOUNT.companyId);
    expect(admitted(limiter, caller("free"), 1_000)).toBe(1_000);
    limiter.charge(caller("free"), 1_000);
    expect(admitted(limiter, caller("free"), 1_000)).toBe(1_000);
    expect(admitted(limiter, caller("rated", { rate: 1 }), 1_000)).toBe(40);
    expect(admitted(limiter, caller("other", { companyId: toCompanyId("other") }), 1_000)).toBe(40);
  });
});
