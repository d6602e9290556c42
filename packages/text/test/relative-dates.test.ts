import { describe, expect, test } from "vitest";
import { EARLIEST_INSTANT, LATEST_INSTANT, parseInstant } from "../src/instant.ts";
import { resolveRelativeDates } from "../src/relative-dates.ts";

/** A Wednesday; in Tokyo it is the 7th already. */
const AT = parseInstant("2026-05-06T23:30:00Z") ?? 0n;

describe("dates relative to the conversation become ISO dates, in UTC", () => {
  test.each([
    ["left yesterday", "left on 2026-05-05"],
    ["leaves today", "leaves on 2026-05-06"],
    ["the day after tomorrow", "on 2026-05-08"],
    ["the day before yesterday", "on 2026-05-04"],
    ["in a week", "on 2026-05-13"],
    ["in three months", "in 2026-08"],
    ["3 weeks ago", "on 2026-04-15"],
    ["two years ago", "in 2024"],
    ["last week", "in the week of 2026-04-27"],
    ["next weekend", "on the weekend of 2026-05-16"],
    ["next year", "in 2027"],
    ["last Friday", "on 2026-05-01"],
    ["last Wednesday", "on 2026-04-29"],
    ["this Friday", "on 2026-05-08"],
    ["next Friday", "on 2026-05-15"],
    ["last December", "in 2025-12"],
    ["next March", "in 2027-03"],
    ["since yesterday", "since 2026-05-05"],
    ["at tomorrow's meeting", "at the 2026-05-07 meeting"],
    ["Yesterday and tomorrow", "on 2026-05-05 and on 2026-05-07"],
  ])("%s", (relative, absolute) => {
    expect(resolveRelativeDates(relative, AT)).toBe(absolute);
  });

  test("across the ends of months and years", () => {
    const newYear = parseInstant("2026-01-01T00:00:00Z") ?? 0n;
    expect(resolveRelativeDates("yesterday", newYear)).toBe("on 2025-12-31");
    expect(resolveRelativeDates("last month", newYear)).toBe("in 2025-12");
    const endOfMonth = parseInstant("2024-01-31T12:00:00Z") ?? 0n;
    expect(resolveRelativeDates("next month", endOfMonth)).toBe("in 2024-02");
    expect(resolveRelativeDates("in 29 days", endOfMonth)).toBe("on 2024-02-29");
  });

  test.each(["on Fridays", "in May", "on 2026-05-06", "in 5 minutes", "a two-week sprint"])(
    "others stay: %s",
    (text) => {
      expect(resolveRelativeDates(text, AT)).toBe(text);
    },
  );

  test("a date outside the years 1 to 9999 stays in words", () => {
    expect(resolveRelativeDates("yesterday", EARLIEST_INSTANT)).toBe("yesterday");
    expect(resolveRelativeDates("tomorrow", LATEST_INSTANT)).toBe("tomorrow");
    expect(resolveRelativeDates("900 years ago", EARLIEST_INSTANT)).toBe("900 years ago");
    expect(resolveRelativeDates("today", EARLIEST_INSTANT)).toBe("on 0001-01-01");
  });
});
