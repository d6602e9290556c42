import { fold, wordsOf } from "@agent-memory/text";
import {
  MONTH_OF_NAME,
  type PartialDate,
  resolveRelativeDates,
  WEEKDAY_OF_NAME,
  writtenDates,
} from "@agent-memory/text/dates";
import { impliedDates } from "@agent-memory/text/implied-dates";
import { DAY, type Instant, SECOND, splitInstant } from "../../../domain/instant.ts";

const DAY_SECONDS = DAY / SECOND;
const DAY_MS = 86_400_000;
/** A weekday may be of the week before, of this one or of the next. */
const NEAR_DAYS = 14;
/** A date without its year is of the conversation's year or of one beside it. */
const MAX_YEARS_AWAY = 1;
const YEAR = /(?<!\d)(?:1[89]|20|21)\d\d(?!\d)/gu;

/**
 * The dates that a text gives or implies when it is said at a time: as written, or relative
 * to that time. It is generous where a text can be read in several ways, as it is there to
 * tell what was invented.
 */
export function datesIn(text: string, at: Instant): PartialDate[] {
  const today = startOfDay(at);
  const resolved = fold(`${text}\n${resolveRelativeDates(text, at)}`);
  return [
    ...writtenDates(resolved).flatMap(({ readings }) => readings),
    ...[...resolved.matchAll(YEAR)].map(([year]) => ({ year: Number(year) })),
    ...impliedDates(text, at),
    ...namedDays(wordsOf(text).map(fold), today),
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

function namedDays(words: readonly string[], today: number): PartialDate[] {
  const months = new Set(words.flatMap((word) => MONTH_OF_NAME.get(word) ?? []));
  const weekdays = new Set(words.flatMap((word) => WEEKDAY_OF_NAME.get(word) ?? []));
  if (weekdays.size === 0) return [...months].map((month) => ({ month }));
  const near = daysFrom(today - NEAR_DAYS * DAY_MS, 2 * NEAR_DAYS + 1);
  return [
    ...[...months].map((month) => ({ month })),
    ...near.filter((day) => weekdays.has(weekdayOf(day))),
  ];
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
