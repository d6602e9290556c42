import { DAY, type Instant, splitInstant } from "../../domain/instant.ts";

const DAY_SECONDS = DAY / 1_000_000n;
const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const MONTHS =
  "january february march april may june july august september october november december".split(
    " ",
  );
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
};
const MAX_AMOUNT = 1_000;

const PREPOSITION = "(?:(on|since|until|till|by|before|after|from|for|in|starting|of) )?";
const NUMBER = String.raw`(\d{1,4}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`;
const WEEKDAY = `(${WEEKDAYS.join("|")})`;
const MONTH = `(${MONTHS.join("|")})`;

type Resolve = (match: readonly (string | undefined)[], today: Date) => Resolved | null;
interface Resolved {
  /** ISO date or month or year. */
  readonly date: string;
  /** The preposition that it takes where none stands before it. */
  readonly preposition: string;
}

// Each pattern's first group is the preposition that stands before it already.
const PATTERNS: readonly (readonly [RegExp, Resolve])[] = (
  [
    ["the day before yesterday", (_, today) => day(today, -2)],
    ["the day after tomorrow", (_, today) => day(today, 2)],
    ["(?:yesterday(?: (?:morning|afternoon|evening))?|last night)", (_, today) => day(today, -1)],
    ["(?:tomorrow(?: (?:morning|afternoon|evening|night))?)", (_, today) => day(today, 1)],
    ["(?:today|tonight|this (?:morning|afternoon|evening))", (_, today) => day(today, 0)],
    [`${NUMBER} (day|week|month|year)s? ago`, (m, today) => shifted(today, -amount(m[2]), m[3])],
    [
      `(?:a )?(?:couple(?: of)?) (day|week|month|year)s ago`,
      (m, today) => shifted(today, -2, m[2]),
    ],
    [
      `in ${NUMBER} (day|week|month|year)s?(?: from now)?`,
      (m, today) => shifted(today, amount(m[2]), m[3]),
    ],
    [
      `${NUMBER} (day|week|month|year)s? from now`,
      (m, today) => shifted(today, amount(m[2]), m[3]),
    ],
    ["(last|this|next) week(end)?", (m, today) => week(today, m[2], m[3] !== undefined)],
    ["(last|this|next) month", (m, today) => month(today, step(m[2]))],
    ["(last|this|next) year", (m, today) => year(today, step(m[2]))],
    [`(last|this|next|this coming) ${WEEKDAY}`, (m, today) => weekday(today, m[2], m[3])],
    [`(last|this|next) ${MONTH}`, (m, today) => namedMonth(today, m[2], m[3])],
  ] satisfies [string, Resolve][]
).map(([source, resolve]) => [
  new RegExp(`\\b${PREPOSITION}${source}\\b(?!-)('s)?`, "giu"),
  resolve,
]);

/** Writes dates that are relative to the conversation as ISO dates or months, in UTC. */
export function resolveRelativeDates(text: string, at: Instant): string {
  const today = new Date(Number((splitInstant(at).seconds / DAY_SECONDS) * DAY_SECONDS) * 1000);
  let resolved = text;
  for (const [pattern, resolve] of PATTERNS) {
    resolved = resolved.replace(pattern, (whole, ...groups) => {
      const match = [whole, ...groups] as (string | undefined)[];
      const date = resolve(match, today);
      if (date === null) return whole;
      const isPossessive = whole.endsWith("'s");
      if (isPossessive) return `${match[1] === undefined ? "" : `${match[1]} `}the ${date.date}`;
      // "in 2 days" brings its own "in"; other prepositions stay.
      const given = match[1]?.toLowerCase();
      return `${given === undefined || given === "on" || given === "in" ? date.preposition : match[1]} ${date.date}`;
    });
  }
  return resolved;
}

function amount(word: string | undefined): number {
  const key = (word ?? "").toLowerCase();
  return Math.min(NUMBERS[key] ?? Number(key), MAX_AMOUNT);
}

function step(word: string | undefined): number {
  return { last: -1, next: 1 }[(word ?? "").toLowerCase()] ?? 0;
}

function shifted(today: Date, count: number, unit: string | undefined): Resolved | null {
  switch ((unit ?? "").toLowerCase()) {
    case "day":
      return day(today, count);
    case "week":
      return day(today, 7 * count);
    case "month":
      return month(today, count);
    default:
      return year(today, count);
  }
}

function day(today: Date, days: number): Resolved | null {
  const date = isoDay(today, days);
  return date === null ? null : { date, preposition: "on" };
}

function month(today: Date, months: number): Resolved | null {
  const date = iso(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1));
  return date === null ? null : { date: date.slice(0, 7), preposition: "in" };
}

function year(today: Date, years: number): Resolved | null {
  const date = iso(Date.UTC(today.getUTCFullYear() + years, 0, 1));
  return date === null ? null : { date: date.slice(0, 4), preposition: "in" };
}

/** Weeks begin on Monday. */
function week(today: Date, which: string | undefined, isWeekend: boolean): Resolved | null {
  const monday = 7 * step(which) - ((today.getUTCDay() + 6) % 7);
  const date = isoDay(today, isWeekend ? monday + 5 : monday);
  if (date === null) return null;
  return {
    date: `${isWeekend ? "the weekend" : "the week"} of ${date}`,
    preposition: isWeekend ? "on" : "in",
  };
}

/** "Last" is the latest before today, "this" the coming one, "next" that of next week. */
function weekday(
  today: Date,
  which: string | undefined,
  name: string | undefined,
): Resolved | null {
  const target = WEEKDAYS.indexOf((name ?? "").toLowerCase());
  const ahead = (target - today.getUTCDay() + 7) % 7;
  if (/^last$/iu.test(which ?? "")) return day(today, ahead === 0 ? -7 : ahead - 7);
  if (/^this/iu.test(which ?? "")) return day(today, ahead);
  const monday = 7 - ((today.getUTCDay() + 6) % 7);
  return day(today, monday + ((target + 6) % 7));
}

function namedMonth(
  today: Date,
  which: string | undefined,
  name: string | undefined,
): Resolved | null {
  const target = MONTHS.indexOf((name ?? "").toLowerCase());
  const ahead = (target - today.getUTCMonth() + 12) % 12;
  if (/^last$/iu.test(which ?? "")) return month(today, ahead === 0 ? -12 : ahead - 12);
  if (/^this$/iu.test(which ?? "")) return month(today, target - today.getUTCMonth());
  return month(today, ahead === 0 ? 12 : ahead);
}

function isoDay(today: Date, days: number): string | null {
  return iso(today.getTime() + days * 86_400_000);
}

/** null outside the years 1 to 9999, where a phrase is better left as it is. */
function iso(milliseconds: number): string | null {
  const date = new Date(milliseconds);
  const fullYear = date.getUTCFullYear();
  return Number.isNaN(fullYear) || fullYear < 1 || fullYear > 9999
    ? null
    : date.toISOString().slice(0, 10);
}
