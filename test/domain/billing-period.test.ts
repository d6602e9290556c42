import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { billingPeriod } from "../../src/domain/account.ts";
import { DAY, formatInstant, type Instant, parseInstant } from "../../src/domain/instant.ts";

function at(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === null) throw new Error(`not a time: ${text}`);
  return instant;
}

describe("D30: a billing period is one calendar month in UTC from the anchor", () => {
  test.each([
    ["2026-01-15T00:00:00Z", "2026-02-14T23:59:59.999999Z", "2026-01-15", "2026-02-15"],
    ["2026-01-15T00:00:00Z", "2026-02-15T00:00:00Z", "2026-02-15", "2026-03-15"],
    ["2025-11-15T00:00:00Z", "2026-12-01T00:00:00Z", "2026-11-15", "2026-12-15"],
    ["2026-01-31T00:00:00Z", "2026-02-28T00:00:00Z", "2026-02-28", "2026-03-31"],
    ["2026-01-31T00:00:00Z", "2026-03-30T23:00:00Z", "2026-02-28", "2026-03-31"],
    ["2024-02-29T00:00:00Z", "2025-03-01T00:00:00Z", "2025-02-28", "2025-03-29"],
    ["2100-01-30T00:00:00Z", "2100-03-01T00:00:00Z", "2100-02-28", "2100-03-30"],
    // Before 1970, and in years of fewer than three digits.
    ["1969-12-31T00:00:00Z", "1970-02-27T00:00:00Z", "1970-01-31", "1970-02-28"],
    ["0001-01-31T00:00:00Z", "0001-03-01T00:00:00Z", "0001-02-28", "0001-03-31"],
  ])("anchor %s, at %s: from %s to %s", (anchor, now, start, end) => {
    expect(billingPeriod(at(anchor), at(now))).toEqual({
      start: at(`${start}T00:00:00Z`),
      end: at(`${end}T00:00:00Z`),
    });
  });

  test("the time of day is kept, to the microsecond", () => {
    const anchor = at("2026-01-31T23:59:59.999999Z");
    const period = billingPeriod(anchor, at("2026-02-28T23:59:59.999998Z"));
    expect(formatInstant(period.start)).toBe("2026-01-31T23:59:59.999999Z");
    expect(formatInstant(period.end)).toBe("2026-02-28T23:59:59.999999Z");
    expect(billingPeriod(anchor, period.end).start).toBe(period.end);
  });

  test("a clock behind the anchor is in the first period", () => {
    const anchor = at("2026-03-01T00:00:00Z");
    expect(billingPeriod(anchor, anchor - 1n).start).toBe(anchor);
    expect(billingPeriod(anchor, anchor - 400n * DAY).start).toBe(anchor);
  });

  test("periods cover all time from the anchor without gap or overlap", () => {
    const anchors = fc.bigInt({ min: at("1950-01-01T00:00:00Z"), max: at("2100-01-01T00:00:00Z") });
    const spans = fc.bigInt({ min: 0n, max: 36_500n * DAY });
    fc.assert(
      fc.property(anchors, spans, (anchor, span) => {
        const now = anchor + span;
        const { start, end } = billingPeriod(anchor, now);
        expect(start <= now && now < end).toBe(true);
        expect(billingPeriod(anchor, end).start).toBe(end);
        expect(billingPeriod(anchor, end - 1n)).toEqual({ start, end });
        expect(end - start >= 28n * DAY && end - start <= 31n * DAY).toBe(true);
      }),
    );
  });
});
