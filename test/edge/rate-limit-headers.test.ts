/** The numbers in RateLimit and RateLimit-Policy, for any rate and burst that there may be. */
import { expect, test } from "vitest";
import { policyOf, serviceLimitOf } from "../../src/edge/rate-limit.ts";

test.each<[rate: number, burst: number, policy: string]>([
  [10, 40, "q=40;w=4"],
  [50, 200, "q=200;w=4"],
  [3, 10, "q=10;w=4"],
  [0.3, 1, "q=1;w=4"],
  // The bucket refills many times a second.
  [1_000, 1, "q=1000;w=1"],
  [2.5, 1, "q=2;w=1"],
  // No structured header holds a larger number.
  [1e-15, 40, "q=40;w=999999999999999"],
])("%d a second with bursts of %d are the policy %s", (rate, burst, policy) => {
  expect(policyOf({ limits: { rate, burst }, tokens: burst })).toBe(`"default";${policy}`);
});

test.each<[rate: number, tokens: number, told: string]>([
  [10, 40, "r=40;t=1"],
  [10, 0.4, "r=0;t=1"],
  [0.3, 2, "r=2;t=4"],
  [0.3, 2.9, "r=2;t=1"],
  [0.01, 0, "r=0;t=100"],
  // Debt.
  [10, -100, "r=0;t=11"],
])("at %d a second, %d tokens are told as %s", (rate, tokens, told) => {
  const standing = { limits: { rate, burst: 40 }, tokens };
  expect(serviceLimitOf(standing)).toBe(`"default";${told}`);
});
