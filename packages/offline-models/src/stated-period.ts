import { fold } from "@agent-memory/text";
import {
  ENGLISH_MONTHS,
  LASTED,
  type PartialDate,
  startOf,
  type WrittenDate,
  writtenDates,
} from "@agent-memory/text/dates";
import { DAY, formatInstant, type Instant } from "@agent-memory/text/instant";

/** When something that is stated began and ends (D17); null: the text does not say. */
export interface StatedPeriod {
  readonly validFrom: Instant | null;
  readonly validTo: Instant | null;
}

/** Before a date from which on it holds: "from" alone may be of a thing, "a boiler from 2011". */
const SINCE =
  /\b(?:(since)|(as of|effective|starting(?: on| in| from)?)|from) (?:the |early |late |mid-?|about )*$/u;
/** Before a date at which it ends. */
const UNTIL =
  /\b(?:until|till|til|through|up to|(?:ends|expires|runs out|is over)(?: on| in)?|from [^,]{1,24} to) (?:the |early |late |mid-?|about |week(?:end)? of )*$/u;
/** What begins when it happens, and the rest of its clause before the date. */
const BEGAN =
  /\b(?:moved|relocated|joined|started|began|became|switched|changed|transferred|enrolled|retired|quit|stopped|gave up|left|bought|adopted|got (?:married|engaged|divorced|promoted|hired|(?<!has got )(?:a|an|the|their))|was (?:promoted|hired)|went (?:vegan|vegetarian|freelance))\b[^,;]{0,80}? (?:in|on|back in) (?:the |early |late |mid-?|about )*$/u;
/** "Lived in Oslo between 2010 and 2014": before the first date, and before the second. */
const BETWEEN =
  /\b(?:lived|worked|studied|served|taught|stayed|attended|rented|owned|ran|led|managed)\b[^,;]{0,60}? between ([^,;]{1,24} and )?$/u;
/** "Slipped from May to June": a date that moved is no period. */
const DATE_MOVED =
  /\b(?:slipped|moved|postponed|pushed|delayed|rescheduled|changed|shifted|brought forward|extended)\b/u;
/** What only is to happen, or never did, began at no time. */
const UNREAL =
  /\b(?:will|would|might|may|plans?|wants?|hopes?|going to|about to|not|never|if|almost|nearly)\b/u;

/** What is over at the time when it is told: "was in Rome until July". */
const WAS = /\b(?:was|were|had|went|taught|ran|kept|drove|led|(?<!\b(?:is|are|be) )\p{L}{2,}ed)\b/u;

/** The years and months that stand alone: "since 2019", "in March". */
const ALONE = new RegExp(
  `(?<![\\p{L}\\p{N}.,:/€$£-])(?:((?:19|20)\\d\\d)|(${[...ENGLISH_MONTHS.keys()].join("|")}))(?![\\p{L}\\p{N}%€]|[-/.:,]\\d)`,
  "gu",
);

/** As much of what stands before a date as is looked at, in characters. */
const MAX_BEFORE = 120;

/** Reads a statement whose relative dates are resolved; `at`: when it was said. */
export function statedPeriod(text: string, at: Instant): StatedPeriod {
  const folded = fold(text);
  let validFrom: Instant | null = null;
  let validTo: Instant | null = null;
  let isOver = false;
  for (const { date, before, after } of datesOf(folded)) {
    if (DATE_MOVED.test(before) && !BEGAN.test(before)) continue;
    const [begun, since, starting] = SINCE.exec(before) ?? [];
    const isSpan =
      begun !== undefined && /^ (?:to|until|till|through|on(?:wards?)?)\b/u.test(after);
    const [between, and] = BETWEEN.exec(before) ?? [];
    const isPast = since ?? between ?? (BEGAN.test(before) && !UNREAL.test(before));
    if (UNTIL.test(before) || and !== undefined) {
      validTo ??= endOf(date, WAS.test(before), validFrom, at);
      const isDated = date.year !== undefined && (date.day !== undefined || WAS.test(before));
      isOver = isDated || LASTED.test(before);
    } else if (isPast || isSpan || starting !== undefined)
      validFrom ??= startOf(nearest(date, at, !(isPast || WAS.test(before))));
  }
  // It held on the day before its end, as far as is told.
  if (isOver && validTo !== null && validTo <= at) validFrom ??= validTo - DAY;
  return { validFrom, validTo };
}

function endOf(date: PartialDate, isOver: boolean, from: Instant | null, at: Instant) {
  const end = startOf(nearest(date, at, !isOver));
  return from === null || end === null || from < end ? end : startOf(nearest(date, from, true));
}

/** The dates of a text that can be read in one way, in order, each with what stands around it. */
function datesOf(folded: string): { date: PartialDate; before: string; after: string }[] {
  const written = writtenDates(folded);
  const isFree = (at: number) => !written.some(({ start, end }) => start <= at && at < end);
  const alone = [...folded.matchAll(ALONE)].flatMap(
    ({ 0: text, 1: year, 2: month = "", index }) => {
      const date = year ? { year: Number(year) } : { month: ENGLISH_MONTHS.get(month) ?? 0 };
      return isFree(index) ? [{ readings: [date], start: index, end: index + text.length }] : [];
    },
  );
  return [...written, ...alone]
    .toSorted((a, b) => a.start - b.start)
    .flatMap(({ readings, start, end }: WrittenDate) => {
      const [date, ...others] = readings;
      const before = folded.slice(Math.max(0, start - MAX_BEFORE), start);
      const isOne = date !== undefined && others.length === 0;
      return isOne ? [{ date, before, after: folded.slice(end) }] : [];
    });
}

/** With the year that it leaves out: the first one ahead of the time, or the last one before. */
function nearest(date: PartialDate, at: Instant, isAhead: boolean): PartialDate {
  if (date.year !== undefined) return date;
  const [year = 0, month = 0, day = 0] = formatInstant(at).slice(0, 10).split("-").map(Number);
  const { month: named = month, day: dayNamed = isAhead ? 31 : 1 } = date;
  const order = named - month || dayNamed - day;
  if (isAhead) return { ...date, year: order < 0 ? year + 1 : year };
  return { ...date, year: order > 0 ? year - 1 : year };
}
