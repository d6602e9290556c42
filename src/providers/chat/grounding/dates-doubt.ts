import { fold, wordsOf } from "@agent-memory/text";
import { type PartialDate, type WrittenDate, writtenDates } from "@agent-memory/text/dates";
import { formatInstant, type Instant } from "../../../domain/instant.ts";
import type { Context } from "./claim.ts";
import { isBorneOut, monthOfName, readDates, weekdayOfName } from "./date-evidence.ts";
import type { Evidence } from "./evidence.ts";
import { hasMarker } from "./languages.ts";
import type { Weight } from "./weight.ts";

/** Whether the conversation gives the dates of a fact. */
export function dates({
  fact,
  folded,
  evidence,
  passage,
  read,
  messageIndex,
  language,
}: Context): Weight {
  const stated = writtenDates(folded);
  const months = new Set<number>();
  const weekdays = new Set<number>();
  for (const word of wordsOf(fact)) {
    const name = fold(word);
    // "may" and "sat" are dates with a capital only.
    if (!/\p{Lu}/u.test(word) && (language === "en" || name.length < 5)) continue;
    const month = monthOfName(name);
    if (month !== undefined) months.add(month);
    const weekday = weekdayOfName(name);
    if (weekday !== undefined) weekdays.add(weekday);
  }
  if (stated.length + months.size + weekdays.size === 0) return null;
  const near = [...readDates(passage, evidence.language, read.at)];
  const unknown = (date: WrittenDate, { dates: known }: Evidence) =>
    !date.readings.some((reading) => isBorneOut(reading, [...known(), ...near], read.at));
  const isKnown = (given: Evidence) =>
    !stated.some((date) => unknown(date, given)) &&
    [...months].every(
      (month) => given.calendar().months.has(month) || near.some((date) => date.month === month),
    ) &&
    [...weekdays].every((weekday) => given.calendar().weekdays.has(weekday));
  if (isKnown(evidence)) return null;
  const isPartly = ({ readings }: WrittenDate) =>
    readings.some((date) => isKnownInParts(date, evidence, read.at));
  if (stated.length > 0 && stated.every(isPartly)) return "mild";
  if (isWeekdayOfOtherWeek(passage, stated)) return "mild";
  // When it is only a calendar of that country and year knows.
  if (hasMarker(fold(evidence.said), "any", "feast")) return "mild";
  return read.isSaidElsewhere(messageIndex, isKnown) ? "mild" : "grave";
}

/** Whether dates fall on a named day of a week that is told in a roundabout way: "Saturday week". */
function isWeekdayOfOtherWeek(passage: string, stated: readonly WrittenDate[]): boolean {
  const folded = fold(passage);
  const named = wordsOf(folded).flatMap((word) => weekdayOfName(word) ?? []);
  return (
    hasMarker(folded, "any", "roundabout") &&
    stated.length > 0 &&
    stated.every(({ readings }) =>
      readings.some(
        ({ year, month, day }) =>
          year !== undefined &&
          month !== undefined &&
          day !== undefined &&
          named.includes(new Date(Date.UTC(year, month - 1, day)).getUTCDay()),
      ),
    )
  );
}

/** A month and a year that are given apart: "a year ago this month". */
function isKnownInParts(
  { year, month, day }: PartialDate,
  { dates: known, numbers: given }: Evidence,
  at: Instant,
): boolean {
  if (day !== undefined) return false;
  const thisYear = Number(formatInstant(at).slice(0, 4));
  const has = (part: PartialDate) =>
    isBorneOut(part, known(), at) ||
    (part.year !== undefined && given().has(String(thisYear - part.year)));
  return (year === undefined || has({ year })) && (month === undefined || has({ month }));
}
