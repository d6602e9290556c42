import { fold, wordsOf } from "./words.ts";

/** Languages whose names of months and days, and whose "yesterday" and "in 3 weeks", are understood. */
const LANGUAGES: readonly string[] =
  "en de fr es pt it nl sv da nb fi pl cs tr ru uk ja zh ko".split(" ");
// Short names are English only, "Sep" and "Sept": "ago" is August in Spanish.
const LANGUAGES_OF_SHORT_NAMES = ["en", "en-GB"];

const FIRST_SUNDAY = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;

/** Months, 1 to 12, by their folded names, inflected ones included. */
export const MONTH_OF_NAME: ReadonlyMap<string, number> = namesOf("month", [
  { month: "long" },
  // Beside a day some languages inflect the month.
  { month: "long", day: "numeric" },
]);

/** Days of the week, 0 for Sunday, by their folded names. */
export const WEEKDAY_OF_NAME: ReadonlyMap<string, number> = namesOf("weekday", [
  { weekday: "long" },
]);

function namesOf(
  part: "month" | "weekday",
  styles: readonly Intl.DateTimeFormatOptions[],
): Map<string, number> {
  const formats = LANGUAGES.flatMap((language) =>
    styles.map((style) => new Intl.DateTimeFormat(language, { ...style, timeZone: "UTC" })),
  );
  const short = { [part]: "short", timeZone: "UTC" };
  formats.push(...LANGUAGES_OF_SHORT_NAMES.map((each) => new Intl.DateTimeFormat(each, short)));
  const names = new Map<string, number>();
  for (const [value, date] of datesOfEach(part)) {
    for (const format of formats) {
      const name = fold(format.formatToParts(date).find(({ type }) => type === part)?.value ?? "");
      // Names with digits ("5月") are left to the numbers.
      if (/^\p{L}+(?:-\p{L}+)*$/u.test(name) && !names.has(name)) names.set(name, value);
    }
  }
  return names;
}

function datesOfEach(part: "month" | "weekday"): (readonly [value: number, date: number])[] {
  return part === "month"
    ? Array.from({ length: 12 }, (_, i) => [i + 1, Date.UTC(2023, i, 15)])
    : Array.from({ length: 7 }, (_, i) => [i, FIRST_SUNDAY + i * DAY_MS]);
}

/** A distance from the time of a conversation. */
export interface RelativeTime {
  readonly unit: "day" | "week" | "month" | "year";
  /** Negative: in the past. */
  readonly count: number;
}

const UNITS = ["day", "week", "month", "year"] as const;
/** Up to here languages have words of their own: "übermorgen". */
const MAX_NAMED_COUNT = 2;
/** Counts that show every plural form of these languages. */
const SAMPLE_COUNTS = [1, 2, 5, 21];
/** Stands in a phrase for the number that a text gives; the phrase's own count is then 1 or -1. */
const ANY_NUMBER = "#";

/** The meanings of a phrase, by its folded words with a blank between. */
const PHRASES: ReadonlyMap<string, readonly RelativeTime[]> = phrasesOfAllLanguages();
const LONGEST_PHRASE_WORDS = Math.max(...[...PHRASES.keys()].map((key) => key.split(" ").length));

const FIRST_WORDS = new Set([...PHRASES.keys()].map((key) => key.split(" ")[0]));

/**
 * What the phrases of relative time in a text may mean, in the languages that are
 * understood, as the platform writes them: "gestern", "il y a 3 ans", "来月".
 */
export function relativeTimes(text: string): RelativeTime[] {
  const words = wordsOf(text).map(fold);
  const keys = words.map(keyOf);
  return keys.flatMap((key, start) => {
    if (!FIRST_WORDS.has(key)) return [];
    const found: RelativeTime[] = [];
    const longest = Math.min(LONGEST_PHRASE_WORDS, words.length - start);
    for (let length = 1; length <= longest; length++) {
      const phrase = keys.slice(start, start + length);
      const numberAt = phrase.indexOf(ANY_NUMBER);
      const number = numberAt < 0 ? 1 : Number(words[start + numberAt]);
      const meanings = PHRASES.get(phrase.join(" ")) ?? [];
      found.push(...meanings.map(({ unit, count }) => ({ unit, count: count * number })));
    }
    return found;
  });
}

function keyOf(foldedWord: string): string {
  return /^\d+$/u.test(foldedWord) ? ANY_NUMBER : foldedWord;
}

function phrasesOfAllLanguages(): Map<string, RelativeTime[]> {
  const phrases = new Map<string, RelativeTime[]>();
  function add(phrase: string, unit: RelativeTime["unit"], count: number): void {
    const key = wordsOf(phrase).map(fold).map(keyOf).join(" ");
    const meaning = { unit, count: key.includes(ANY_NUMBER) ? Math.sign(count) : count };
    const known = phrases.get(key) ?? [];
    const isKnown = known.some((other) => other.unit === unit && other.count === meaning.count);
    if (!isKnown) phrases.set(key, [...known, meaning]);
  }
  for (const language of LANGUAGES) {
    const named = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    const counted = new Intl.RelativeTimeFormat(language, { numeric: "always" });
    for (const unit of UNITS) {
      for (let count = -MAX_NAMED_COUNT; count <= MAX_NAMED_COUNT; count++) {
        add(named.format(count, unit), unit, count);
      }
      for (const count of SAMPLE_COUNTS) {
        for (const signed of [-count, count]) {
          const phrase = counted.format(signed, unit);
          add(phrase, unit, signed);
        }
      }
    }
  }
  return phrases;
}
