import { expect, test } from "vitest";
import { periodOf, temporalFlags } from "../../src/domain/memory.ts";
import { memoryFixture, memoryId } from "./memory-fixture.ts";

const NOW = 10_000n;
const CURRENT = { isCurrent: true, isExpired: false, isSuperseded: false };

test.each([
  ["no end", {}, CURRENT],
  ["an end that is ahead", { validTo: NOW + 1n }, CURRENT],
  [
    "an end that is now: the interval is half open",
    { validTo: NOW },
    { isCurrent: false, isExpired: true, isSuperseded: false },
  ],
  [
    "an end that has passed",
    { validTo: NOW - 1n },
    { isCurrent: false, isExpired: true, isSuperseded: false },
  ],
  [
    "a replacement",
    { validTo: NOW - 1n, supersededBy: memoryId(2), supersededAt: NOW - 1n },
    { isCurrent: false, isExpired: false, isSuperseded: true },
  ],
  [
    "superseded without a replacement, its end has passed",
    { validTo: NOW - 1n, supersededAt: NOW - 1n },
    { isCurrent: false, isExpired: true, isSuperseded: true },
  ],
])("D19: flags of a memory with %s", (_, overrides, flags) => {
  expect(temporalFlags(memoryFixture(overrides), NOW)).toEqual(flags);
});

test.each([
  ["nothing stated", null, null, NOW, null],
  ["a start before", NOW - 5n, null, NOW - 5n, null],
  ["a start ahead, which does not count", NOW + 5n, null, NOW, null],
  ["an end after it was said", null, NOW + 5n, NOW, NOW + 5n],
  ["an end before it was said, which does not count", null, NOW - 5n, NOW, null],
  ["an end at the start, which does not count", NOW - 5n, NOW - 5n, NOW - 5n, null],
])("D17: a fact with %s", (_, validFrom, validTo, from, to) => {
  expect(periodOf({ validFrom, validTo }, NOW)).toEqual({ validFrom: from, validTo: to });
});
