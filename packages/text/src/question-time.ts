import { ENGLISH_MONTHS } from "./calendar-words.ts";
import { formatInstant, type Instant } from "./instant.ts";
import { resolveNearDays, resolveRelativeDates } from "./relative-dates.ts";
import { fold } from "./words.ts";
import { type PartialDate, startOf, writtenDates } from "./written-dates.ts";

/** The time that a question names. */
export interface QuestionTime {
  /** The last moment of it, at most the time of the question; null: it is not over, or begins there. */
  readonly moment: Instant | null;
  /** The question without its words for the time. */
  readonly rest: string;
}

/** A longer question is read to here. */
const MAX_CHARACTERS = 2_000;

const PREPOSITION =
  "in|on|at|by|during|throughout|within|over|of|from|since|after|before|until|till|around|back in|as of";
const WHICH = "(?:the |last |this |early |late |mid[- ])?";
const YEAR = String.raw`(?:,?[ -](?:of )?((?:19|20)\d\d)\b)?`;
/** Behind a part of a year: "the start" alone may be of anything. */
const OF_YEAR = String.raw`(?=[ -](?:of )?(?:19|20)\d\d\b)`;
/** The last day of a feast, of a season or of a part of a year, as month and day. */
const DAYS_OF_YEAR: readonly (readonly [name: string, day: string])[] = [
  ["christmas(?: eve| day)?", "12-25"],
  ["new year's eve", "12-31"],
  ["new year(?:'s(?: day)?)?", "01-01"],
  ["halloween", "10-31"],
  ["thanksgiving", "11-28"],
  ["valentine's(?: day)?", "02-14"],
  ["easter", "04-25"],
  ["spring", "05-31"],
  ["summer", "08-31"],
  ["autumn|fall", "11-30"],
  ["winter", "02-28"],
  [`(?:early|beginning|start|first quarter|q1)${OF_YEAR}`, "03-31"],
  [`(?:mid|middle|first half|second quarter|q2|h1)${OF_YEAR}`, "06-30"],
  [`(?:third quarter|q3)${OF_YEAR}`, "09-30"],
];
const YEARLY = DAYS_OF_YEAR.map(([name, day]) => ({
  pattern: new RegExp(`\\b(${PREPOSITION}|last|this) ${WHICH}(?:${name})\\b${YEAR}`, "giu"),
  day,
}));
const MONTH_NAMES = [...ENGLISH_MONTHS.keys()].join("|");
const MONTH = new RegExp(
  `\\b(${PREPOSITION}) ${WHICH}(${MONTH_NAMES})\\b(?!,?(?: of)? ?\\d)`,
  "giu",
);
/** "Between 2020 and": of a range the end counts. */
const RANGE = "between .{1,40}? and|from .{1,40}? (?:to|until|till)";
const PART =
  "(?:the|very|early|mid|late|beginning|start|middle|end|turn|course|week(?:end)?|month|year|(?:\\p{L}+ )?(?:half|quarter)|[hq]\\d|of)[ -]";
const DATE = new RegExp(
  `(?:\\b(?:(?:early|late|sometime) )?(${RANGE}|${PREPOSITION}) )?(?:\\b${PART})*(\\d{4}(?:-\\d\\d(?:-\\d\\d)?)?)(?![\\d-])`,
  "giu",
);
const OF_DECADE = /(?<=\b(?:19|20)\d)0s\b/gu;
const NOT_OF_THEN = /^(?:since|after|from)$/iu;
const UP_TO = /^(?:before|until|till|by)$/iu;

/** The time that a question names in words, of those before `now` the latest; null: none. */
export function questionTime(text: string, now: Instant): QuestionTime | null {
  const today = formatInstant(now).slice(0, 10);
  /** Written as a date, of this year or the last. */
  const latest = (monthAndDay: string, year?: string) => {
    const isAhead = monthAndDay > today.slice(5, 5 + monthAndDay.length);
    return `${year ?? Number(today.slice(0, 4)) - (isAhead ? 1 : 0)}-${monthAndDay}`;
  };
  let dated = text.slice(0, MAX_CHARACTERS).replace(/’/gu, "'");
  for (const { pattern, day } of YEARLY) {
    dated = dated.replace(pattern, (_, before: string, year?: string) => {
      const preposition = /^(?:last|this)$/iu.test(before) ? "in" : before;
      return `${preposition} ${latest(day, year)}`;
    });
  }
  dated = dated.replace(MONTH, (_, before: string, name: string) => {
    const month = String(ENGLISH_MONTHS.get(fold(name)) ?? 1).padStart(2, "0");
    return `${before} ${latest(month)}`;
  });
  dated = resolveNearDays(resolveRelativeDates(dated, now), now, true).replace(OF_DECADE, "9");
  const written = fold(dated).length === dated.length ? writtenDates(fold(dated)) : [];
  for (const { readings, start, end } of written.toSorted((a, b) => b.start - a.start)) {
    // In "5/6/2021" the day stands first; "5/6" may be no date.
    const { year, month, day } = readings.at(-1) ?? {};
    if (year === undefined && readings.length > 1) continue;
    const parts = [month, day].filter((part) => part !== undefined);
    const monthAndDay = parts.map((part) => String(part).padStart(2, "0")).join("-");
    dated = `${dated.slice(0, start)}${latest(monthAndDay, year?.toString())}${dated.slice(end)}`;
  }
  for (const { 0: phrase, 1: before = "", 2: date = "", index } of dated.matchAll(DATE)) {
    // A year alone may be any number.
    if (/^(?:the )?\d{4}$/iu.test(phrase)) continue;
    const [year, month, day] = date.split("-").map(Number);
    const parts = { year, month, day } as PartialDate;
    const isUpTo = UP_TO.test(before) && !/\b(?:end|late)\b/iu.test(phrase);
    const moment = NOT_OF_THEN.test(before) ? null : momentOf(parts, isUpTo, now);
    const rest = `${dated.slice(0, index)}${dated.slice(index + phrase.length)}`;
    return { moment, rest: rest.replace(/\s+(?=\s|[?.!,]|$)/gu, "").trim() };
  }
  return null;
}

/** The last moment of a day, month or year, or the one before it; null: it is ahead. */
function momentOf(date: PartialDate, isUpTo: boolean, now: Instant): Instant | null {
  const { year = 0, month, day } = date;
  const start = startOf(date);
  if (start === null || start > now) return null;
  if (isUpTo) return start - 1n;
  const next = new Date(0);
  next.setUTCFullYear(
    month === undefined ? year + 1 : year,
    month === undefined ? 0 : day === undefined ? month : month - 1,
    day === undefined ? 1 : day + 1,
  );
  const end = BigInt(next.getTime()) * 1_000n;
  return end > now ? now : end - 1n;
}
