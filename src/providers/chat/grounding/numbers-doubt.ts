import { fold } from "@agent-memory/text";
import { writtenDates } from "@agent-memory/text/dates";
import { formatInstant, type Instant } from "../../../domain/instant.ts";
import type { Context } from "./claim.ts";
import { readDates } from "./date-evidence.ts";
import type { Evidence } from "./evidence.ts";
import { hasMarker, type Language } from "./languages.ts";
import { namesOf } from "./names.ts";
import { digitReadings, inDigits } from "./number-words.ts";
import { halvesOf, statedNumbers } from "./numbers.ts";
import { isAsMuch, isMismeasured, quantitiesIn } from "./units.ts";
import type { Weight } from "./weight.ts";

/** Whether the conversation gives the numbers of a fact, in its units. */
export function numbers(context: Context): Weight {
  const { folded, evidence, passage, read, messageIndex, language, isSameLanguage } = context;
  const undated = blankOut(folded, writtenDates(folded));
  const counted = quantitiesIn(halvesOf(inDigits(undated, language)));
  if (isMismeasured(counted, evidence.quantities())) return "grave";
  if (isOtherHalfOfDay(folded, fold(passage))) return "grave";
  const converted = counted.filter((one) =>
    evidence.quantities().some((other) => isAsMuch(one, other)),
  );
  const isConverted = (number: string) => converted.some(({ value }) => String(value) === number);
  const stated = statedNumbers(undated, language).filter((number) => !isConverted(number));
  if (stated.length === 0) return null;
  const known = ({ numbers: given }: Evidence) => stated.every(given().has);
  if (known(evidence)) return null;
  const years = readDates(passage, evidence.language, read.at).map(({ year }) => String(year));
  const unknown = stated.filter(
    (number) => !evidence.numbers().has(number) && !years.includes(number),
  );
  if (unknown.length === 0) return null;
  // In another language the words may hold a number in a form that is not known here.
  if (!isSameLanguage && statedNumbers(fold(passage), evidence.language).length === 0)
    return "mild";
  const computed = computedFrom(passage, evidence.language, read.at);
  if (unknown.every((number) => computed.has(number))) return "mild";
  return read.isSaidElsewhere(messageIndex, known) ? "mild" : "grave";
}

function isOtherHalfOfDay(fact: string, said: string): boolean {
  const halves = (text: string) =>
    (["morning", "afternoon"] as const).filter((half) => hasMarker(text, "any", half));
  const given = halves(said);
  return given.length === 1 && halves(fact).some((half) => !given.includes(half));
}

/** A group that one is of oneself: "six of us", "three sisters". */
const ONE_OF_MORE =
  /\bof (?:us|them)\b|\b(?:sister|brother|sibling|housemate|flatmate|kid|child|boy|girl|son|daughter)/u;

/** Of a passage with more numbers, the rest is not computed with. */
const MAX_OPERANDS = 12;

/** Numbers that follow from those of a passage in one step: "twelve fifty", "half a dozen", "three sisters and me". */
function computedFrom(passage: string, language: Language, at: Instant): ReadonlySet<string> {
  const folded = fold(passage);
  const given = [folded, ...digitReadings(folded, language)]
    .flatMap((text) => statedNumbers(halvesOf(text), language))
    .filter((number) => number !== "1" && Number.isFinite(Number(number)))
    .map(Number)
    .slice(0, MAX_OPERANDS);
  const listed = new Set(namesOf(passage)).size;
  const pictures = [...passage.matchAll(/\p{Extended_Pictographic}/gu)].length;
  const thisYear = Number(formatInstant(at).slice(0, 4));
  const ofOne = given.flatMap((one) => [
    ...FACTORS.map((factor) => one * factor),
    thisYear - Math.floor(one),
    thisYear - Math.ceil(one),
    ...(ONE_OF_MORE.test(folded) ? [one + 1, one - 1] : []),
  ]);
  const ofTwo = given.flatMap((a, i) =>
    given.flatMap((b, j) =>
      i === j ? [] : [a + b, Math.abs(a - b), a * b, Number(`${a}${b}`), 100 * a + b],
    ),
  );
  const listing = new Set(given).size;
  return new Set([listing, listed, pictures, ...ofOne, ...ofTwo].filter((n) => n > 1).map(String));
}

/** "1.2 mil", "38 to 42 thousand", "1250" metres in kilometres */
const FACTORS = [100, 1e3, 1e6, 1e-3];

function blankOut(text: string, places: readonly { start: number; end: number }[]): string {
  return places.reduce(
    (blanked, { start, end }) =>
      blanked.slice(0, start) + " ".repeat(end - start) + blanked.slice(end),
    text,
  );
}
