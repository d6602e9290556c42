import fc from "fast-check";
import { expect, test } from "vitest";
import { EARLIEST_INSTANT, formatInstant, LATEST_INSTANT, parseInstant } from "../src/instant.ts";

test.each([
  ["2026-05-04T03:02:01Z", "2026-05-04T03:02:01.000000Z"],
  ["2026-05-04T03:02:01.123456Z", "2026-05-04T03:02:01.123456Z"],
  ["2026-05-04T03:02:01.123456789Z", "2026-05-04T03:02:01.123456Z"],
  ["2026-05-04T03:02:01+02:00", "2026-05-04T01:02:01.000000Z"],
  ["2026-05-04T03:02:01-05:30", "2026-05-04T08:32:01.000000Z"],
  ["2026-05-04t03:02:01z", "2026-05-04T03:02:01.000000Z"],
  ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000Z"],
  ["1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"],
  ["9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"],
])("D3: %s is accepted and written in UTC with microseconds", (text, written) => {
  const instant = parseInstant(text);
  expect(instant).not.toBeNull();
  expect(formatInstant(instant ?? 0n)).toBe(written);
});

test.each([
  ["2026-05-04T03:02Z", "2026-05-04T03:02:00.000000Z"],
  ["2026-05-04T03:02:01,5Z", "2026-05-04T03:02:01.500000Z"],
  ["2026-05-04T03:02:01+0200", "2026-05-04T01:02:01.000000Z"],
  ["2026-05-04T03:02:01.123456-0530", "2026-05-04T08:32:01.123456Z"],
  ["2026-05-04T03:02:01+02", "2026-05-04T01:02:01.000000Z"],
])("D3 wide forms: %s is accepted and written in UTC with microseconds", (text, written) => {
  expect(formatInstant(parseInstant(text) ?? 0n)).toBe(written);
});

test.each([
  "",
  "now",
  "2026-05-04",
  "2026-05-04T03:02:01",
  "2026-05-04T03Z",
  "2026-05-04T03:02:01,Z",
  "2026-05-04T03:02:01+2",
  "2026-05-04T03:02:01+24",
  "2026-05-04 03:02:01Z",
  "2026-5-4T03:02:01Z",
  "20260504T030201Z",
  "2026-02-30T00:00:00Z",
  "2025-02-29T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:00:00+24:00",
  "2026-01-01T00:00:00+00:60",
  "0000-12-31T23:59:59Z",
  "0001-01-01T00:00:00+00:01",
  "9999-12-31T23:59:59-00:01",
  "２０２６-01-01T00:00:00Z",
])("D3: %j is refused", (text) => {
  expect(parseInstant(text)).toBeNull();
});

test("every instant that can be stored is read back as it was written", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: EARLIEST_INSTANT, max: LATEST_INSTANT }), (instant) => {
      expect(parseInstant(formatInstant(instant))).toBe(instant);
    }),
  );
});
