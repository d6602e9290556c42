import { casual } from "chrono-node/en";
import { type Instant, splitInstant } from "./instant.ts";
import { SMALL_NUMBERS } from "./number-words.ts";

/** A text that names more dates is no statement; the others stay in words. */
const MAX_DATES = 200;

const UNIT = "(?:day|week|month|year)s?";
const NUMBER = String.raw`(?:\d{1,3}|an?|${SMALL_NUMBERS})`;
const WEEKDAY = "(?:sun|mon|tues|wednes|thurs|fri|satur)day";
const MONTHS =
  "january|february|march|april|may|june|july|august|september|october|november|december".split(
    "|",
  );
const PHRASE = new RegExp(
  `\\b(?:(on|since|until|till|by|before|after|from|for|in|starting|of) )?(${[
    "the day before yesterday|the day after tomorrow",
    "(?:yesterday|tomorrow)(?: (?:morning|afternoon|evening|night))?|today|tonight|last night",
    "this (?:morning|afternoon|evening)",
    `(?:${NUMBER}|(?:a )?couple(?: of)?) ${UNIT} (?:ago|from now)`,
    `in ${NUMBER} ${UNIT}`,
    // "The last Friday of the month" is none of these days.
    `(?<!\\bthe )(?:last|this|next) (?:week(?:end)?|month|year|${WEEKDAY}|${MONTHS.join("|")})`,
    `this coming ${WEEKDAY}`,
  ].join("|")})\\b(?!-)('s)?`,
  "giu",
);
/** A day of the week without its week, and no range or habit of days. */
const NEAR_DAY = new RegExp(
  `\\b(on|since|until|till|by|for|before|after|from|starting) (${WEEKDAY})(?: (?:morning|afternoon|evening|night))?\\b(?!-|'s| (?:mornings|afternoons|evenings|nights|to|and|or|through|till|until|off)\\b|,? (?:the )?(?:\\d{1,2}(?![\\d:]|\\s?[ap]m)|${MONTHS.join("|")}))|(?<!\\b(?:is|was|on|or|to|of|a|the|and|each|last|next|this|every|other|through|first|second)) (${WEEKDAY})$`,
  "giu",
);
const HABIT = /\b(?:every|each|always|usually|often|never|most|weekly|except)\b/iu;
/** What is over when it is told: "was in Rome until Friday", but not "was moved until Friday". */
export const LASTED =
  /\b(?:(?:was|were|had)(?! (?:\p{L}+(?:e[dn]|rn|wn)|built|made|held|sold|put|set|told|to|un?til|due)\b)|lived|worked|studied|served|taught|stayed|slept|spent|attended|owned|ran|led|managed|kept)\b/iu;
const NOT_SINCE = /\b(?:has|have) (?:not|never)\b/iu;
const DAYS = "sun mon tue wed thu fri sat".split(" ");
const WEEK = /^(last|this|next) week(end)?$/u;
const NAMED_MONTH = new RegExp(`^(last|this|next) (${MONTHS.join("|")})$`, "u");

type ParsedDate = ReturnType<typeof casual.parse>[number]["start"];

interface Resolved {
  /** An ISO day, month or year. */
  readonly date: string;
  /** The preposition that it takes where none stands before it. */
  readonly preposition: "on" | "in";
}

/** Writes a bare weekday as an ISO day in UTC: the last one where it `isPast`, else the next. */
export function resolveNearDays(text: string, at: Instant, isPast: boolean): string {
  if (HABIT.test(text)) return text;
  const now = new Date(Number(splitInstant(at).seconds) * 1000);
  const goesAhead = LASTED.test(text) ? /^(?:by|for)$/iu : /^(?:by|for|un?till?)$/iu;
  return text.replace(NEAR_DAY, (whole, before: string | undefined, named, bare) => {
    const weekday = DAYS.indexOf(`${named ?? bare}`.slice(0, 3).toLowerCase());
    const ahead = ((weekday - now.getUTCDay() + 6) % 7) + 1;
    const isBack = (isPast && !goesAhead.test(before ?? "")) || before === "since";
    const days = isBack ? (ahead === 7 ? -7 : ahead - 7) : ahead;
    const day = isoDay(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days);
    if (day === null) return whole;
    return before === undefined ? ` on ${day}` : `${before} ${day}`;
  });
}

/** Writes dates that are relative to a time as ISO days, months or years, in UTC. */
export function resolveRelativeDates(text: string, at: Instant): string {
  // Noon: in the small hours "last night" would be the day that has begun.
  const now = new Date(Number(splitInstant(at).seconds) * 1000);
  now.setUTCHours(12, 0, 0);
  const known = new Map<string, Resolved | null>();
  return text.replace(PHRASE, (whole, before: string | undefined, phrase: string, owner) => {
    const key = phrase.toLowerCase();
    // "has not smoked in two years" looks back.
    if (key.startsWith("in ") && NOT_SINCE.test(text)) return whole;
    if (!known.has(key)) known.set(key, known.size < MAX_DATES ? resolve(key, now) : null);
    const resolved = known.get(key) ?? null;
    if (resolved === null) return whole;
    const { date, preposition } = resolved;
    if (owner !== undefined) return `${before === undefined ? "" : `${before} `}the ${date}`;
    // "in 2 days" brings its own "in"; other prepositions stay.
    const isOwn = before === undefined || /^(?:on|in)$/iu.test(before);
    return `${isOwn ? preposition : before} ${date}`;
  });
}

function resolve(phrase: string, now: Date): Resolved | null {
  const [, whichWeek, weekend] = WEEK.exec(phrase) ?? [];
  if (whichWeek !== undefined) return week(now, step(whichWeek), weekend !== undefined);
  const [, whichMonth, month] = NAMED_MONTH.exec(phrase) ?? [];
  if (whichMonth !== undefined)
    return namedMonth(now, step(whichMonth), MONTHS.indexOf(month ?? ""));
  // The library takes 31 January plus a month for a day in March.
  const from = new Date(now);
  if (/month|year/u.test(phrase)) from.setUTCDate(1);
  const [parsed] = casual.parse(phrase.replace("coming ", ""), { instant: from, timezone: "UTC" });
  return parsed === undefined ? null : asWritten(parsed.start);
}

/** As exact as the phrase was: "two years ago" is a year, "last month" a month. */
function asWritten(date: ParsedDate): Resolved | null {
  const day = isoDay(date.get("year"), (date.get("month") ?? 1) - 1, date.get("day"));
  if (day === null) return null;
  const isDay = date.isCertain("day") || date.isCertain("weekday");
  if (isDay || !date.isCertain("year")) return { date: day, preposition: "on" };
  return { date: day.slice(0, date.isCertain("month") ? 7 : 4), preposition: "in" };
}

/** Weeks begin on Monday. */
function week(now: Date, weeks: number, isWeekend: boolean): Resolved | null {
  const monday = now.getUTCDate() - ((now.getUTCDay() + 6) % 7) + 7 * weeks;
  const day = isoDay(now.getUTCFullYear(), now.getUTCMonth(), monday + (isWeekend ? 5 : 0));
  if (day === null) return null;
  return isWeekend
    ? { date: `the weekend of ${day}`, preposition: "on" }
    : { date: `the week of ${day}`, preposition: "in" };
}

/** "Last" is the latest before this month, "next" the first after it. */
function namedMonth(now: Date, which: number, month: number): Resolved | null {
  const ahead = (month - now.getUTCMonth() + 12) % 12 || 12;
  const isThis = which === 0 || ahead === 12;
  const year = now.getUTCFullYear();
  const months = isThis ? month + 12 * which : now.getUTCMonth() + ahead - (which < 0 ? 12 : 0);
  const day = isoDay(year, months, 1);
  return day === null ? null : { date: day.slice(0, 7), preposition: "in" };
}

function step(which: string): number {
  return { last: -1, next: 1 }[which] ?? 0;
}

/** null outside the years 1 to 9999, where a phrase is better left as it is. */
function isoDay(year: number | null, month: number, day: number | null): string | null {
  const date = new Date(0);
  date.setUTCFullYear(year ?? Number.NaN, month, day ?? 1);
  const fullYear = date.getUTCFullYear();
  return Number.isNaN(fullYear) || fullYear < 1 || fullYear > 9999
    ? null
    : date.toISOString().slice(0, 10);
}
