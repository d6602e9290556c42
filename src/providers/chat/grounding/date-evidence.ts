import { fold } from "../../../domain/folding.ts";
import { DAY, type Instant, SECOND, splitInstant } from "../../../domain/instant.ts";
import { resolveRelativeDates } from "../../text/relative-dates.ts";
import { wordsOf } from "../../text/text.ts";
import {
  MONTH_OF_NAME,
  type RelativeTime,
  relativeTimes,
  WEEKDAY_OF_NAME,
} from "./calendar-words.ts";
import { type PartialDate, writtenDates } from "./written-dates.ts";

const DAY_SECONDS = DAY / SECOND;
const DAY_MS = 86_400_000;
/** A weekday without its week is the nearest one, "next" or "last" may mean the one after. */
const NEAR_DAYS = 7;
const FAR_DAYS = 14;
const FAR = new Set(["next", "last", "following", "previous"]);
/** A date without its year is of the conversation's year or of one beside it. */
const MAX_YEARS_AWAY = 1;

/** "for three years": since a date that can be computed, as "three years ago". */
const DURATION = /\b(?:for|over|past|last) (\w+ (?:day|week|month|year)s?)\b/giu;
/** "on the 14th" */
const DAY_OF_MONTH = /\b\d{1,2}(?:st|nd|rd|th)\b/gu;
const YEAR = /(?<!\d)(?:1[89]|20|21)\d\d(?!\d)/gu;
const WEEK_OF = /\bweek(end)? of (\d{4}-\d\d-\d\d)/gu;

/**
 * Every date that a text gives or implies when it is said at a time: as written,
 * or relative to that time. It is generous where a text can be read in several
 * ways, as it is there to tell what was invented.
 */
export function dateEvidence(text: string, at: Instant): PartialDate[] {
  const today = startOfDay(at);
  const resolved = fold(
    `${text}\n${resolveRelativeDates(text, at)}\n${resolveRelativeDates(text.replace(DURATION, "$1 ago"), at)}`,
  );
  return [
    ...writtenDates(resolved).flatMap(({ readings }) => readings),
    ...[...resolved.matchAll(WEEK_OF)].flatMap(([, end, date = ""]) =>
      daysFrom(Date.parse(date), end === undefined ? 7 : 2),
    ),
    ...[...resolved.matchAll(YEAR)].map(([year]) => ({ year: Number(year) })),
    ...relativeTimes(text).flatMap((time) => shifted(today, time)),
    ...namedDays(wordsOf(text).map(fold), today),
    ...[...new Set(fold(text).match(DAY_OF_MONTH))].flatMap((day) =>
      dayOfMonth(Number.parseInt(day, 10), today),
    ),
  ];
}

/** Whether some evidence bears out all that a date says. */
export function isBorneOut(
  date: PartialDate,
  evidence: readonly PartialDate[],
  at: Instant,
): boolean {
  const thisYear = new Date(startOfDay(at)).getUTCFullYear();
  return evidence.some(
    ({ year, month, day }) =>
      (date.day === undefined || date.day === day) &&
      (date.month === undefined || date.month === month) &&
      (date.year === undefined ||
        (year === undefined
          ? Math.abs(date.year - thisYear) <= MAX_YEARS_AWAY
          : date.year === year)),
  );
}

/** The folded names of the months and weekdays of some dates, in every language that is understood. */
export function namesOfDates(dates: readonly PartialDate[]): Set<string> {
  const months = new Set(dates.map(({ month }) => month));
  const weekdays = new Set(
    dates.flatMap(({ year, month, day }) =>
      year === undefined || month === undefined || day === undefined
        ? []
        : [weekdayOf({ year, month, day })],
    ),
  );
  return new Set([
    ...[...MONTH_OF_NAME].flatMap(([name, month]) => (months.has(month) ? [name] : [])),
    ...[...WEEKDAY_OF_NAME].flatMap(([name, weekday]) => (weekdays.has(weekday) ? [name] : [])),
  ]);
}

function namedDays(words: readonly string[], today: number): PartialDate[] {
  const weekdays = new Map<number, number>();
  const months = new Set<number>();
  for (const [i, word] of words.entries()) {
    const month = MONTH_OF_NAME.get(word);
    if (month !== undefined) months.add(month);
    const weekday = WEEKDAY_OF_NAME.get(word);
    if (weekday === undefined) continue;
    const reach = FAR.has(words[i - 1] ?? "") ? FAR_DAYS : NEAR_DAYS;
    weekdays.set(weekday, Math.max(reach, weekdays.get(weekday) ?? 0));
  }
  const days = [...weekdays].flatMap(([weekday, reach]) =>
    daysFrom(today - reach * DAY_MS, 2 * reach + 1).filter((day) => weekdayOf(day) === weekday),
  );
  return [...[...months].map((month) => ({ month })), ...days];
}

function dayOfMonth(day: number, today: number): PartialDate[] {
  return [-1, 0, 1].flatMap((months) =>
    shifted(today, { unit: "month", count: months }).map((month) => ({ ...month, day })),
  );
}

function shifted(today: number, { unit, count }: RelativeTime): PartialDate[] {
  const date = new Date(today);
  const year = date.getUTCFullYear();
  switch (unit) {
    case "day":
      return daysFrom(today + count * DAY_MS, 1);
    case "week": {
      // The day so many weeks away, and its week, which begins on a Monday.
      const sinceMonday = (date.getUTCDay() + 6) % 7;
      return daysFrom(today + (7 * count - sinceMonday) * DAY_MS, 7);
    }
    case "month": {
      const first = Date.UTC(year, date.getUTCMonth() + count, 1);
      return daysFrom(first, 1).map(({ year, month }) => ({ year, month }));
    }
    case "year":
      return [{ year: year + count }];
  }
}

/** `count` days in a row; none when they are outside of what a date can hold. */
function daysFrom(firstMs: number, count: number): Required<PartialDate>[] {
  if (Number.isNaN(new Date(firstMs + count * DAY_MS).getTime())) return [];
  return Array.from({ length: count }, (_, i) => {
    const date = new Date(firstMs + i * DAY_MS);
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
    };
  });
}

/** 0 for Sunday. */
function weekdayOf({ year, month, day }: Required<PartialDate>): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

/** Midnight in UTC, in milliseconds since 1970. */
function startOfDay(at: Instant): number {
  const { seconds } = splitInstant(at);
  return (Number(seconds) - Number(((seconds % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS)) * 1000;
}
