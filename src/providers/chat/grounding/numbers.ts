import { fold } from "../../../domain/folding.ts";

const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const ORDINALS =
  "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const AMOUNTS: Readonly<Record<string, number>> = {
  once: 1,
  single: 1,
  twice: 2,
  both: 2,
  couple: 2,
  pair: 2,
  thrice: 3,
  dozen: 12,
};
/** Number words that are more often no number: "one of", "first of all", "a second". */
const AMBIGUOUS = new Set(["zero", "one", "zeroth", "first", "second", "once", "single", "both"]);
const MULTIPLIERS: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  million: 1e6,
  mio: 1e6,
  billion: 1e9,
};

const VALUE_OF_WORD = new Map<string, number>([
  ...SMALL.map((word, value) => [word, value] as const),
  ...ORDINALS.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, 20 + 10 * index] as const),
  ...Object.entries(AMOUNTS),
]);

/** "1,234.5", "7:40", "16", with a multiplier behind it. */
const NUMERAL = /(\d+(?:[.,:]\d+)*)(?:\s?(k|thousand|million|mio|billion)\b)?/gu;
const NUMBER_WORD = new RegExp(
  `\\b(?:(${TENS.join("|")})[- ](${SMALL.slice(1, 10).join("|")})|(?:${[...VALUE_OF_WORD.keys()].join("|")}))\\b`,
  "gu",
);
const THOUSANDS_SEPARATOR = /[.,](?=\d{3}(?!\d))/gu;
/** A number this long may be written in groups, as telephone numbers are. */
const MIN_GROUPED_DIGITS = 5;

/** The numbers that a fact states, each once, in one spelling: "45k" is "45000". English words count. */
export function statedNumbers(fact: string): string[] {
  const text = fold(fact);
  const numerals = [...text.matchAll(NUMERAL)].map(([, digits = "", unit]) =>
    numeralValue(digits, unit),
  );
  const words = [...text.matchAll(NUMBER_WORD)].flatMap(([whole, tens, unit]) =>
    AMBIGUOUS.has(whole) ? [] : [wordValue(whole, tens, unit)],
  );
  return [...new Set([...numerals, ...words])];
}

/** The numbers that a text gives, in every reading of it. */
export interface NumberEvidence {
  has(stated: string): boolean;
}

export function numberEvidence(text: string, others: readonly number[] = []): NumberEvidence {
  const folded = fold(text);
  const known = new Set(others.map(String));
  for (const [, digits = "", unit] of folded.matchAll(NUMERAL)) {
    known.add(numeralValue(digits, undefined)).add(numeralValue(digits, unit));
    if (/:/u.test(digits)) for (const part of digits.split(":")) known.add(String(Number(part)));
  }
  for (const [whole, tens, unit] of folded.matchAll(NUMBER_WORD)) {
    known.add(wordValue(whole, tens, unit));
  }
  const ungrouped = folded.replace(/(?<=\d)[\s().\-/,']+(?=\d)/gu, "");
  return {
    has: (stated) =>
      known.has(stated) ||
      (stated.includes(":") &&
        stated.split(":").every((part) => known.has(String(Number(part))))) ||
      (stated.length >= MIN_GROUPED_DIGITS && ungrouped.includes(stated)),
  };
}

function numeralValue(digits: string, unit: string | undefined): string {
  const plain = digits.replace(THOUSANDS_SEPARATOR, "").replace(/,/gu, ".");
  const value = Number(plain) * (MULTIPLIERS[unit ?? ""] ?? 1);
  // "7:40" and "10.0.0.1" are no numbers, and stay as they are; so do digits past all precision.
  return Number.isSafeInteger(Math.trunc(value)) ? String(value) : plain;
}

function wordValue(whole: string, tens: string | undefined, unit: string | undefined): string {
  if (tens === undefined || unit === undefined) return String(VALUE_OF_WORD.get(whole));
  return String((VALUE_OF_WORD.get(tens) ?? 0) + (VALUE_OF_WORD.get(unit) ?? 0));
}
