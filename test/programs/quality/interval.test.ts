import { expect, test } from "vitest";
import { wilsonInterval } from "./interval.ts";

/** R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3. */
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])("the interval of %i of %i is the published one", (hits, trials, low, high) => {
  const interval = wilsonInterval(hits, trials);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

test("misses have the mirrored interval of hits", () => {
  const { low, high } = wilsonInterval(20, 20);
  expect(low).toBeCloseTo(1 - 0.1611, 4);
  expect(high).toBe(1);
});

test("nothing tried tells nothing", () => {
  expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
});
