import { fold } from "@agent-memory/text";
import { isTimeOf } from "./clock.ts";
import { type Language, patternOf } from "./languages.ts";
import { digitReadings, inDigits } from "./number-words.ts";

const MULTIPLIERS = new Map<string, number>(
  Object.entries({
    1e3: "k|grand|thousand|thousands|tausend|tsd|mille|mil|mila|duizend|tys|tysiac|tysiace|tysiecy|千",
    1e4: "万|萬",
    1e6: "m|mio|mln|mn|million|millions|millionen|millon|millones|milhao|milhoes|milione|milioni|miljoen|milion|miliony|milionow|百万",
    1e8: "億|亿",
    1e9: "billion|billions|bn|milliarde|milliarden|mrd|milliard|milliards|miliardo|miliardi|miljard",
  }).flatMap(([factor, words]) => words.split("|").map((word) => [word, Number(factor)] as const)),
);
const UNITS = [...MULTIPLIERS.keys()].toSorted((a, b) => b.length - a.length).join("|");
/** "1,234.5", "7:40", "16", with a multiplier behind it. */
const NUMERAL = new RegExp(
  String.raw`(\d+(?:[.,:]\d+)*)(?: ?(${UNITS})(?![\p{Script=Latin}\p{N}]))?`,
  "gu",
);
const AND_A_HALF =
  /(\d+) (?:and (?:a|1) half|et demie?|y medi[oa]|e mezz[oa]|e mei[oa]|en (?:een|1) half|i poł|einhalb)/gu;
const HALF_A =
  /\bhalf (?:a|1) (?=million|billion)|\bune? demi[- ]|\bmedio (?=millon)|\bmezzo (?=milione)|\bmeio (?=milhao)|\bein(?:e)? halbe (?=million)/gu;
const UNIT_AND_A_HALF = /(\d+) (\p{L}+) and (?:a|1) half/gu;
const PART_OF_A = /\b(half|(?:a |1 )?quarter of) (?:an?|1) (?=\p{L})/gu;
const EVERY_OTHER = /\b(?:every other|alternate) (?=\p{L})/gu;
/** "m²" is folded to "m2". */
const POWER = /(?<=\b[ck]?m)[23]\b/gu;
/** "'09" */
const SHORT_YEAR = /(?<![\p{L}\d])'(\d\d)(?!\d|')/gu;
const DOZEN = /\b(?:doz|dutzend|dozijn|tuzin|douzain|docena|duzia)/u;
const DOZENS = /(?:(\d+) )?12( and (?:a|1) half)?/gu;
/** "the 80s", "in den 90ern" */
const DECADE = /(?<!\d)(\d0) ?(?:'?s\b|er\b|ern\b)/gu;
const METRES = /(\d)\s?m\s?(\d\d)(?!\d)/gu;
const THOUSANDS_SEPARATOR = /[.,](?=\d{3}(?!\d))/gu;
const SPACED_THOUSANDS = /(?<=\d)[\u0020\u00a0\u202f'](?=\d{3}(?!\d))/gu;
/** A number this long may be written in groups, as telephone numbers are. */
const MIN_GROUPED_DIGITS = 5;
const SHARES: readonly (readonly [RegExp, readonly string[]])[] = [
  [patternOf("any", "half"), ["50"]],
  [patternOf("any", "quarter"), ["25", "75"]],
  [
    /\bthirds?\b|\bdrittel|\btiers\b|\bterci[oa]|\bterz[oi]\b|\bterc[oa]|\bderde\b|trzeci/u,
    ["33", "66", "67"],
  ],
  [
    /\b(?:fifths?|funftel|cinquiemes?|quintos?|quinta parte|un quinto|vijfde)\b/u,
    ["20", "40", "60", "80"],
  ],
  [/\b(?:tenths?|zehntel|dixiemes?|decimo|decima parte|tiende)\b/u, ["10", "90"]],
];
const MORNING_OR_AFTERNOON = /(?<!\d)(\d{1,2})(?::(\d\d))? ?(?:p\.?m\.?|a\.?m\.?)(?!\p{L})/gu;

/** The numbers that a folded fact states, each once, in one spelling: "45k" is "45000", "two" is "2". */
export function statedNumbers(foldedFact: string, language: Language): string[] {
  const text = inDigits(foldedFact, language, { isStated: true }).replace(SPACED_THOUSANDS, "");
  return [
    ...new Set(
      [...halvesOf(text).matchAll(NUMERAL)].map(([, digits = "", unit]) =>
        numeralValue(digits, unit),
      ),
    ),
  ];
}

/** The numbers that a text gives, in every reading of it. */
export interface NumberEvidence {
  has(stated: string): boolean;
}

/** `others`: numbers that are given too, such as the years of dates. */
export function numberEvidence(
  text: string,
  language: Language,
  others: readonly number[] = [],
): NumberEvidence {
  const folded = fold(text);
  const known = new Set([...others.map(String), ...sharesIn(folded), ...yearsIn(folded)]);
  for (const dozens of dozensIn(folded, language)) known.add(dozens);
  for (const written of new Set([folded, ...digitReadings(folded, language)])) {
    for (const reading of [written, halvesOf(written), written.replace(SPACED_THOUSANDS, "")]) {
      for (const [, digits = "", unit] of reading.matchAll(NUMERAL)) {
        known.add(numeralValue(digits, undefined)).add(numeralValue(digits, unit));
        if (digits.includes(":")) for (const part of digits.split(":")) known.add(plain(part));
      }
    }
    for (const [, metres, centimetres] of written.matchAll(METRES)) {
      known.add(`${metres}${centimetres}`).add(`${metres}.${centimetres}`);
    }
    for (const [, hour] of written.matchAll(MORNING_OR_AFTERNOON)) {
      known.add(String((Number(hour) + 12) % 24));
    }
  }
  const ungrouped = folded.replace(/(?<=\d)[\s().\-/,']+(?=\d)/gu, "");
  return {
    has: (stated) =>
      known.has(stated) ||
      isTimeOf(stated, { folded, language, has: (number) => known.has(number) }) ||
      (stated.length >= MIN_GROUPED_DIGITS && ungrouped.includes(stated)),
  };
}

/** "1 hour and a half", "half an hour", "a quarter of a million", "every other week" in numbers. */
export function halvesOf(text: string): string {
  return text
    .replace(POWER, "")
    .replace(AND_A_HALF, "$1.5")
    .replace(HALF_A, "0.5 ")
    .replace(UNIT_AND_A_HALF, "$1.5 $2")
    .replace(PART_OF_A, (_, part: string) => `${part.startsWith("half") ? 0.5 : 0.25} `)
    .replace(EVERY_OTHER, "every 2 ");
}

/** "Two dozen", "a dozen and a half" */
function dozensIn(folded: string, language: Language): string[] {
  if (!DOZEN.test(folded)) return [];
  return digitReadings(folded, language).flatMap((text) =>
    [...text.matchAll(DOZENS)].map(([, count = "1", half]) =>
      String(12 * Number(count) + (half === undefined ? 0 : 6)),
    ),
  );
}

/** The years that "'09" and "the 80s" may mean. */
function yearsIn(folded: string): string[] {
  return [SHORT_YEAR, DECADE]
    .flatMap((pattern) => [...folded.matchAll(pattern)])
    .flatMap(([, year]) => [`19${year}`, `20${year}`]);
}

/** Shares that a folded text gives in words, in percent. */
function sharesIn(folded: string): string[] {
  return SHARES.flatMap(([words, percents]) => (folded.search(words) >= 0 ? percents : []));
}

function plain(digits: string): string {
  return String(Number(digits));
}

function numeralValue(digits: string, unit: string | undefined): string {
  const ungrouped = digits.replace(THOUSANDS_SEPARATOR, "").replace(/,/gu, ".");
  const value = Number(ungrouped) * (MULTIPLIERS.get(unit ?? "") ?? 1);
  // "7:40" and "10.0.0.1" are no numbers, and stay as they are; so do digits past all precision.
  return Number.isSafeInteger(Math.trunc(value)) ? String(value) : ungrouped;
}
