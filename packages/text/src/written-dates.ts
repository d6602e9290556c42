import { MONTH_OF_NAME } from "./calendar-words.ts";
import { type Instant, parseInstant } from "./instant.ts";

/** A date as far as a text gives it; the parts that it leaves out are undefined. */
export interface PartialDate {
  readonly year?: number;
  /** 1 to 12. */
  readonly month?: number;
  readonly day?: number;
}

/** A date as it stands in a text. */
export interface WrittenDate {
  /** More than one where it can be read in several ways: "5/6" is in May or in June. */
  readonly readings: readonly PartialDate[];
  readonly start: number;
  readonly end: number;
}

const MONTH = `(${[...MONTH_OF_NAME.keys()].toSorted((a, b) => b.length - a.length).join("|")})`;
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?`;
const YEAR = String.raw`((?:1[89]|20|21)\d\d)`;
const START = String.raw`(?<![\p{L}\p{N}.,:/-])`;
/** No further letter or digit, nor one behind a stroke, nor a year of an unknown century: "'99". */
const END = String.raw`(?![\p{L}\p{N}]|[-/]\d|,? '\d\d)`;

type Groups = readonly (string | undefined)[];
/** Earlier ones win where two match at the same place. */
const STYLES: readonly (readonly [RegExp, (groups: Groups) => PartialDate[]])[] = (
  [
    [
      String.raw`(?:${YEAR} ?[年년] ?)?(\d{1,2}) ?[月월](?: ?(\d{1,2}) ?[日号號일])?`,
      ([y, m, d]) => [ymd(y, m, d)],
    ],
    [String.raw`${START}${YEAR}-(\d\d)-(\d\d)(?:(?=t\d)|${END})`, ([y, m, d]) => [ymd(y, m, d)]],
    [String.raw`${START}${YEAR}-(\d\d)${END}`, ([y, m]) => [ymd(y, m)]],
    [
      String.raw`${START}(\d{1,2})[/.](\d{1,2})[/.]${YEAR}${END}`,
      ([a, b, y]) => [ymd(y, a, b), ymd(y, b, a)],
    ],
    [String.raw`${START}(\d{1,2})/${YEAR}${END}`, ([m, y]) => [ymd(y, m)]],
    [
      String.raw`${START}(\d{1,2})/(\d{1,2})${END}`,
      ([a, b]) => [ymd(undefined, a, b), ymd(undefined, b, a)],
    ],
    [
      String.raw`${START}${DAY} (?:of |de )?${MONTH}\.?(?:,? (?:de |del )?(\d{4}))?${END}`,
      ([d, name, y]) => [ymd(y, monthOf(name), d)],
    ],
    [
      String.raw`${START}${MONTH}\.? (?:the )?${DAY}(?:,? (\d{4}))?${END}`,
      ([name, d, y]) => [ymd(y, monthOf(name), d)],
    ],
    [
      String.raw`${START}${MONTH}\.?,? (?:of |de |del )?${YEAR}${END}`,
      ([name, y]) => [ymd(y, monthOf(name))],
    ],
  ] satisfies [string, (groups: Groups) => PartialDate[]][]
).map(([source, read]) => [new RegExp(source, "gu"), read]);

/** The dates in a folded text that name a day with its month, or a month with its year. */
export function writtenDates(foldedText: string): WrittenDate[] {
  const found: WrittenDate[] = [];
  let rest = foldedText;
  for (const [pattern, read] of STYLES) {
    for (const match of rest.matchAll(pattern)) {
      const [whole, ...groups] = match;
      const readings = read(groups).filter(exists);
      if (readings.length === 0) continue;
      found.push({ readings, start: match.index, end: match.index + whole.length });
    }
    // A text that was read is not read again as a part of another date.
    rest = rest.replace(pattern, (whole) => " ".repeat(whole.length));
  }
  return found;
}

function ymd(year?: string, month?: string | number, day?: string): PartialDate {
  return {
    ...(year !== undefined && { year: Number(year) }),
    ...(month !== undefined && { month: Number(month) }),
    ...(day !== undefined && { day: Number(day) }),
  };
}

function monthOf(name: string | undefined): number | undefined {
  return MONTH_OF_NAME.get(name ?? "");
}

function exists({ month = 1, day = 1 }: PartialDate): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** The start of the day, month or year, in UTC; null: there is no such day. */
export function startOf({ year = 0, month = 1, day = 1 }: PartialDate): Instant | null {
  const digits = (value: number, length: number) => String(value).padStart(length, "0");
  return parseInstant(`${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}T00:00Z`);
}
