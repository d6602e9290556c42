import { fold } from "../../../domain/folding.ts";
import { formatInstant, type Instant } from "../../../domain/instant.ts";
import { wordsOf } from "../../text/text.ts";
import type { Context, Weight } from "./claim.ts";
import { isBorneOut, monthOfName, readDates, weekdayOfName } from "./date-evidence.ts";
import type { Evidence } from "./evidence.ts";
import { type PartialDate, type WrittenDate, writtenDates } from "./written-dates.ts";

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
  if (FEAST.test(fold(evidence.said))) return "mild";
  return read.isSaidElsewhere(messageIndex, isKnown) ? "mild" : "grave";
}

/** Whether dates fall on a named day of a week that is told in a roundabout way: "Saturday week". */
function isWeekdayOfOtherWeek(passage: string, stated: readonly WrittenDate[]): boolean {
  const folded = fold(passage);
  const named = wordsOf(folded).flatMap((word) => weekdayOfName(word) ?? []);
  return (
    ROUNDABOUT.test(folded) &&
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

const ROUNDABOUT =
  /\b(?:week|weeks|fortnight|before last|after next|first|second|third|fourth|last|woche|wochen|erst\p{L}*|zweit\p{L}*|dritt\p{L}*|ubernachst\p{L}*|vorletzt\p{L}*|semaine\p{L}*|premier|deuxieme|huit|quinze|semana\p{L}*|primer\p{L}*|segund\p{L}*|settiman\p{L}*|prim[oa]|second[oa]|primeir\p{L}*|week|weken|eerste|tweede|tydzien|tygodni\p{L}*|pierwsz\p{L}*|drug\p{L}*)\b|再来週|下下周|第一|第二/u;

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

const FEAST =
  /\b(?:christmas|xmas|easter|new year|halloween|thanksgiving|valentine|ramadan|eid|diwali|hanukkah|passover|pentecost|bank holiday|weihnacht\p{L}*|heiligabend|silvester|neujahr|ostern|pfingsten|tag der|noel|reveillon|paques|toussaint|jour de l'an|navidad|nochebuena|nochevieja|pascua|semana santa|reyes|natale|capodanno|pasqua|ferragosto|pasquetta|natal|pascoa|reveillon|carnaval|kerst\p{L}*|oudjaar\p{L}*|oud en nieuw|pasen|sinterklaas|koningsdag|wigili\p{L}*|wielkanoc\p{L}*|sylwest\p{L}*|boze(?:go)? narodzen\p{L}*)|(?:day|eve|dia|tag|giorno|jour|dag) (?:of|de|der|di|van)\b|正月|元日|大晦日|クリスマス|お盆|春节|中秋|国庆|元旦|除夕|清明|端午/u;
