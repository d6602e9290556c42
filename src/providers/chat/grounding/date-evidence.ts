import { fold, wordsOf } from "@agent-memory/text";
import {
  MONTH_OF_NAME,
  type PartialDate,
  type RelativeTime,
  relativeTimes,
  resolveRelativeDates,
  WEEKDAY_OF_NAME,
  writtenDates,
} from "@agent-memory/text/dates";
import * as chronoDe from "chrono-node/de";
import * as chronoEn from "chrono-node/en";
import * as chronoEs from "chrono-node/es";
import * as chronoFr from "chrono-node/fr";
import * as chronoIt from "chrono-node/it";
import * as chronoJa from "chrono-node/ja";
import * as chronoNl from "chrono-node/nl";
import * as chronoPt from "chrono-node/pt";
import * as chronoZh from "chrono-node/zh";
import { DAY, type Instant, SECOND, splitInstant } from "../../../domain/instant.ts";
import type { Language } from "./languages.ts";
import { digitReadings } from "./number-words.ts";

const DAY_SECONDS = DAY / SECOND;
const DAY_MS = 86_400_000;
/** A weekday without its week is the nearest one, "next" or "last" may mean the one after. */
const NEAR_DAYS = 7;
const FAR_DAYS = 14;
const FAR = new Set(
  "next last following previous from nachsten nachster nachste letzten letzter kommenden prochain prochaine dernier proximo proxima pasado pasada prossimo scorso volgende vorige afgelopen przyszły przyszła zeszły zeszła 上 下 来 先".split(
    " ",
  ),
);
/** A date without its year is of the conversation's year or of one beside it. */
const MAX_YEARS_AWAY = 1;

/** "for three years": since a date that can be computed, as "three years ago". */
const DURATION = /\b(?:for|over|past|last) (\w+ (?:day|week|month|year)s?)\b/giu;
/** "on the 14th" */
const DAY_OF_MONTH = /\b\d{1,2}(?:st|nd|rd|th)\b/gu;
const YEAR = /(?<!\d)(?:1[89]|20|21)\d\d(?!\d)/gu;
const TWICE_REMOVED = /\b(?:day|week|month|year) (?:before last|after next)\b/gu;
const QUARTER = /\bq([1-4])\b/gu;
/** "Next spring", "dit najaar" */
const NEARBY_YEAR =
  /\b(?:next|last|this|coming|nachste\p{L}*|letzte\p{L}*|diese\p{L}*|prochain\p{L}*|dernier\p{L}*|cet|cette|proxim\p{L}*|pasad\p{L}*|este|esta|prossim\p{L}*|scors\p{L}*|quest\p{L}*|passad\p{L}*|volgend\p{L}*|vorige?|afgelopen|deze|dit|przyszł\p{L}*|zeszł\p{L}*|tym|tej)\b|今年|去年|来年|明年/u;
const WEEK_OF = /\bweek(end)? of (\d{4}-\d\d-\d\d)/gu;

/** How times are put in chats and in everyday words. */
const SHORTHAND: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tmrw|tmr|2moro|2morrow|tomoz)\b/giu, "tomorrow"],
  [/\b(?:yday|yest)\b/giu, "yesterday"],
  [/\b(?:last ni(?:ght|te))\b/giu, "yesterday"],
  [/\b(?:the )?day after tomorrow\b/giu, "in 2 days"],
  [/\b(?:the )?day before yesterday\b/giu, "2 days ago"],
  [/(?<!\p{L})après[- ]demain(?!\p{L})/giu, "dans 2 jours"],
  [/(?<!\p{L})avant[- ]hier(?!\p{L})/giu, "il y a 2 jours"],
  [/(?<!\p{L})pasado mañana(?!\p{L})/giu, "dentro de 2 días"],
  [/(?<!\p{L})antes de ayer(?!\p{L})/giu, "hace 2 días"],
  [/(?<!\p{L})depois de amanhã(?!\p{L})/giu, "daqui a 2 dias"],
  [/(?<!\p{L})l'altro ieri(?!\p{L})/giu, "2 giorni fa"],
  [/\b(?:a |one )?fortnight\b/giu, "2 weeks"],
  [/\b(?:summers|winters|springs|autumns|falls) ago\b/giu, "years ago"],
];

/**
 * Every date that a text gives or implies when it is said at a time: as written,
 * or relative to that time. It is generous where a text can be read in several
 * ways, as it is there to tell what was invented.
 */
export function dateEvidence(written: string, language: Language, at: Instant): PartialDate[] {
  const text = SHORTHAND.reduce((long, [short, word]) => long.replace(short, word), written);
  const today = startOfDay(at);
  const digits = digitReadings(fold(text), language).join("\n");
  const resolved = fold(
    `${text}\n${resolveRelativeDates(text, at)}\n${resolveRelativeDates(text.replace(DURATION, "$1 ago"), at)}`,
  );
  return [
    ...writtenDates(resolved).flatMap(({ readings }) => readings),
    ...[...resolved.matchAll(WEEK_OF)].flatMap(([, end, date = ""]) =>
      daysFrom(Date.parse(date), end === undefined ? 7 : 2),
    ),
    ...[...resolved.matchAll(YEAR)].map(([year]) => ({ year: Number(year) })),
    ...writtenDates(digits).flatMap(({ readings }) => readings),
    ...[...relativeTimes(text), ...relativeTimes(digits)].flatMap((time) => shifted(today, time)),
    ...namedDays(wordsOf(text).map(fold), today),
    ...[...new Set(digits.match(TWICE_REMOVED))].flatMap((phrase) => twiceRemoved(phrase, today)),
    ...[...digits.matchAll(QUARTER)].flatMap(([, quarter]) =>
      [1, 2, 3].map((month) => ({ month: 3 * Number(quarter) - 3 + month })),
    ),
    ...(NEARBY_YEAR.test(digits) ? [-1, 0, 1] : []).map((years) => ({
      year: new Date(today).getUTCFullYear() + years,
    })),
    ...[...new Set(fold(text).match(DAY_OF_MONTH))].flatMap((day) =>
      dayOfMonth(Number.parseInt(day, 10), today),
    ),
  ];
}

/** The library's readers; of Polish it has none. */
const READERS = {
  en: chronoEn,
  de: chronoDe,
  fr: chronoFr,
  es: chronoEs,
  it: chronoIt,
  pt: chronoPt,
  nl: chronoNl,
  ja: chronoJa,
  zh: chronoZh,
} as const;

/** As much of a text as is read by the library. */
const MAX_READ_CHARACTERS = 1_000;

/** The dates that the library reads in the beginning of a text, in its language. */
export function readDates(text: string, language: Language, at: Instant): PartialDate[] {
  if (language === "pl") return [];
  const instant = new Date(startOfDay(at) + DAY_MS / 2);
  const beginning = text.slice(0, MAX_READ_CHARACTERS);
  return READERS[language].casual
    .parse(beginning, { instant, timezone: "UTC" })
    .flatMap(({ start, end }) => (end === null || end === undefined ? [start] : [start, end]))
    .flatMap((date): PartialDate[] => {
      const year = date.get("year");
      const month = date.get("month");
      const day = date.get("day");
      if (year === null || month === null || day === null) return [];
      if (date.isCertain("day") || date.isCertain("weekday")) return [{ year, month, day }];
      // A month without its year is of a year nearby.
      if (date.isCertain("month")) return [date.isCertain("year") ? { year, month } : { month }];
      return date.isCertain("year") ? [{ year }] : [];
    });
}

/** The months and days of the week that a text names, whatever its language, and those of some dates. */
export interface CalendarNames {
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
}

const EAST_ASIAN_WEEKDAY = /(?:周|星期|礼拜)([日一二三四五六天])|([日月火水木金土])曜/gu;

/** "Às terças": without "-feira". */
const PORTUGUESE_WEEKDAY = new Map(
  "segunda terca quarta quinta sexta".split(" ").map((name, i) => [name, i + 1]),
);

export function calendarNames(text: string, dates: readonly PartialDate[]): CalendarNames {
  const words = wordsOf(text).map(fold);
  const eastAsian = [...fold(text).matchAll(EAST_ASIAN_WEEKDAY)].map(
    ([, chinese = "", japanese = ""]) =>
      chinese === "天"
        ? 0
        : Math.max("日一二三四五六".indexOf(chinese), "日月火水木金土".indexOf(japanese)),
  );
  return {
    months: new Set([
      ...words.flatMap((word) => monthOfName(word) ?? []),
      ...dates.flatMap(({ month }) => month ?? []),
    ]),
    weekdays: new Set([
      ...words.flatMap((word) => weekdayOfName(word) ?? []),
      ...eastAsian,
      ...words.flatMap((word) => PORTUGUESE_WEEKDAY.get(word.replace(/s$/u, "")) ?? []),
      ...dates.flatMap(({ year, month, day }) =>
        year === undefined || month === undefined || day === undefined
          ? []
          : [weekdayOf({ year, month, day })],
      ),
    ]),
  };
}

/** "dienstags", "Tuesdays" */
export function weekdayOfName(foldedWord: string): number | undefined {
  return (
    WEEKDAY_OF_NAME.get(foldedWord) ??
    // "w sobotę"
    WEEKDAY_OF_NAME.get(foldedWord.replace(/e$/u, "a")) ??
    WEEKDAY_OF_NAME.get(foldedWord.replace(/(?:e?s|'s)$/u, ""))
  );
}

export function monthOfName(foldedWord: string): number | undefined {
  return MONTH_OF_NAME.get(foldedWord);
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
  const weekdays = new Map<number, number>();
  const months = new Set<number>();
  for (const [i, word] of words.entries()) {
    const month = MONTH_OF_NAME.get(word);
    if (month !== undefined) months.add(month);
    const weekday = weekdayOfName(word);
    if (weekday === undefined) continue;
    const isFar = FAR.has(words[i - 1] ?? "") || FAR.has(words[i + 1] ?? "");
    const reach = isFar ? FAR_DAYS : NEAR_DAYS;
    weekdays.set(weekday, Math.max(reach, weekdays.get(weekday) ?? 0));
  }
  const days = [...weekdays].flatMap(([weekday, reach]) =>
    daysFrom(today - reach * DAY_MS, 2 * reach + 1).filter((day) => weekdayOf(day) === weekday),
  );
  return [...[...months].map((month) => ({ month })), ...days];
}

/** "The month before last" */
function twiceRemoved(phrase: string, today: number): PartialDate[] {
  const [unit = "", order] = phrase.split(" ");
  const count = order === "before" ? -2 : 2;
  return shifted(today, { unit: unit as RelativeTime["unit"], count });
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
