import { fold } from "./words.ts";

/** Languages whose names of months and days are understood. */
const LANGUAGES = "en de fr es pt it nl sv da nb fi pl cs tr ru uk ja zh ko".split(" ");
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

/** The English months alone: "Marco", "Mei" and "Julio" are months elsewhere, and people here. */
export const ENGLISH_MONTHS = namesOf("month", [{ month: "long" }], ["en"]);
const ENGLISH_WEEKDAYS = namesOf("weekday", [{ weekday: "long" }], ["en"]);

function namesOf(
  part: "month" | "weekday",
  styles: readonly Intl.DateTimeFormatOptions[],
  languages = LANGUAGES,
): ReadonlyMap<string, number> {
  const formats = languages.flatMap((language) =>
    styles.map((style) => new Intl.DateTimeFormat(language, { ...style, timeZone: "UTC" })),
  );
  const short = { [part]: "short", timeZone: "UTC" };
  formats.push(...LANGUAGES_OF_SHORT_NAMES.map((each) => new Intl.DateTimeFormat(each, short)));
  const first = part === "month" ? 1 : 0;
  const dates =
    part === "month"
      ? Array.from({ length: 12 }, (_, i) => Date.UTC(2023, i, 15))
      : Array.from({ length: 7 }, (_, i) => FIRST_SUNDAY + i * DAY_MS);
  const names = new Map<string, number>();
  for (const [i, date] of dates.entries()) {
    for (const format of formats) {
      const name = fold(format.formatToParts(date).find(({ type }) => type === part)?.value ?? "");
      // Names with digits ("5月") are left to the numbers.
      if (/^\p{L}+(?:-\p{L}+)*$/u.test(name) && !names.has(name)) names.set(name, first + i);
    }
  }
  return names;
}

const FEAST = /^(?:christmas|halloween|thanksgiving|easter)$/u;

/** Whether a folded English word is a month, a weekday or a feast. */
export function isTimeName(word: string): boolean {
  const bare = word.replace(/(?:'s|s)$/u, "");
  return [word, bare].some(
    (name) => ENGLISH_MONTHS.has(name) || ENGLISH_WEEKDAYS.has(name) || FEAST.test(name),
  );
}
