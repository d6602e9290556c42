import { fold } from "@agent-memory/text";
import * as german from "n2words/de-DE";
import * as british from "n2words/en-GB";
import * as american from "n2words/en-US";
import * as spanish from "n2words/es-ES";
import * as french from "n2words/fr-FR";
import * as italian from "n2words/it-IT";
import * as dutch from "n2words/nl-NL";
import * as polish from "n2words/pl-PL";
import * as portuguese from "n2words/pt-PT";
import { type Language, likelyLanguages } from "./languages.ts";
import { OFTEN_NO_NUMBER, OTHER_WORDS, type SpokenLanguage } from "./number-lexicon.ts";

/** Writes numbers as words. */
interface Speller {
  toCardinal(value: number): string;
  toOrdinal(value: number): string;
}

const SPELLERS: Readonly<Record<SpokenLanguage, readonly Speller[]>> = {
  en: [american, british],
  de: [german],
  fr: [french],
  es: [
    spanish,
    {
      toCardinal: (value) => spanish.toCardinal(value, { gender: "feminine" }),
      toOrdinal: spanish.toOrdinal,
    },
  ],
  it: [italian],
  pt: [portuguese],
  nl: [dutch],
  pl: [polish],
};

/** No number of those that are known takes more words. */
const MAX_WORDS = 7;
const MAX_ORDINAL = 100;

/** Values by their words without what stands between, built when a language is first met. */
const values = new Map<SpokenLanguage, ReadonlyMap<string, number>>();

function valuesOf(language: SpokenLanguage): ReadonlyMap<string, number> {
  const known = values.get(language);
  if (known !== undefined) return known;
  const made = new Map<string, number>();
  for (const { toCardinal, toOrdinal } of SPELLERS[language]) {
    for (const value of everydayNumbers()) {
      const spelled = joined(toCardinal(value));
      made.set(spelled, value);
      // "hundertfünfzig" beside "einhundertfünfzig"
      made.set(spelled.replace(/^ein(?=hundert|tausend)/u, ""), value);
    }
    for (let value = 2; value <= MAX_ORDINAL; value++) {
      for (const form of inflected(joined(toOrdinal(value)), language)) made.set(form, value);
    }
  }
  for (const [word, value] of Object.entries(OTHER_WORDS[language])) made.set(word, value);
  values.set(language, made);
  return made;
}

/** The forms of an ordinal, which goes with what it counts. */
function inflected(ordinal: string, language: SpokenLanguage): string[] {
  switch (language) {
    case "de":
      return ["", "n", "r", "s", "m"].map((ending) => ordinal + ending);
    case "pl":
      return ["y", "i", "a", "e", "ego", "iego", "emu", "iemu", "ym", "im", "ej", "iej"].map(
        (ending) => ordinal.replace(/[yi]$/u, "") + ending,
      );
    case "es":
    case "it":
    case "pt":
      return [ordinal, ordinal.replace(/o$/u, "a"), ordinal.replace(/o$/u, "os")];
    default:
      return [ordinal];
  }
}

/** Small ones, the years that people speak of, and round ones. */
function everydayNumbers(): number[] {
  const upTo = (count: number, step: number) => Array.from({ length: count }, (_, i) => i * step);
  return [
    ...upTo(200, 1),
    ...upTo(100, 10),
    ...upTo(150, 1).map((years) => 1_900 + years),
    ...upTo(100, 100),
    ...upTo(100, 1_000),
    ...upTo(11, 100_000),
  ];
}

function joined(spelled: string): string {
  return fold(spelled).replace(/[^\p{L}]+/gu, "");
}

const WORD = /\p{L}+/gu;
const EAST_ASIAN_NUMBER = /[〇零一二三四五六七八九十百千万萬億亿两兩俩]+/gu;
const EAST_ASIAN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/双子|双胞胎/gu, " 2 "],
  [/ひとり/gu, " 1 人"],
  [/ふたり|ふたつ/gu, " 2 "],
  [/みっつ/gu, " 3 "],
  [/よっつ/gu, " 4 "],
  [/いつつ/gu, " 5 "],
];

/**
 * A folded text with its numbers in digits: "vor drei Wochen" becomes "vor 3 Wochen".
 * Where `isStated`, only words that are nothing but numbers count, for what a fact
 * states; else articles too, for what a text may mean.
 */
export function inDigits(
  foldedText: string,
  language: Language,
  { isStated = false }: { readonly isStated?: boolean } = {},
): string {
  if (language === "ja" || language === "zh") return eastAsianInDigits(foldedText);
  const known = valuesOf(language);
  const words = [...foldedText.matchAll(WORD)].map(({ 0: word, index }) => ({
    word,
    start: index,
    end: index + word.length,
  }));
  let written = "";
  let from = 0;
  for (let i = 0; i < words.length; i++) {
    const first = words[i];
    if (first === undefined) break;
    let spelled = "";
    let best: { value: number; last: number } | null = null;
    for (let last = i; last < Math.min(i + MAX_WORDS, words.length); last++) {
      const next = words[last];
      const between = foldedText.slice(words[last - 1]?.end, next?.start);
      if (next === undefined || (last > i && !/^[ -]{1,2}$/u.test(between))) break;
      spelled += next.word;
      const value = known.get(spelled);
      const isRead = !isStated || ((value ?? 0) > 1 && !OFTEN_NO_NUMBER.has(spelled));
      if (value !== undefined && isRead) best = { value, last };
    }
    const end = words[best?.last ?? -1]?.end;
    if (best === null || end === undefined) continue;
    written += foldedText.slice(from, first.start) + best.value;
    from = end;
    i = best.last;
  }
  return written + foldedText.slice(from);
}

/** A folded text with its numbers in digits, in each way that it can be read. */
export function digitReadings(foldedText: string, language: Language): string[] {
  const languages = new Set([language, ...likelyLanguages(foldedText)]);
  return [...new Set([...languages].map((one) => inDigits(foldedText, one)))];
}

function eastAsianInDigits(foldedText: string): string {
  let text = foldedText;
  for (const [word, digits] of EAST_ASIAN_WORDS) text = text.replace(word, digits);
  return text.replace(EAST_ASIAN_NUMBER, (number) => String(eastAsianValue(number)));
}

const DIGITS = "〇一二三四五六七八九";
const POWERS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };
const MYRIADS: Readonly<Record<string, number>> = { 万: 1e4, 萬: 1e4, 億: 1e8, 亿: 1e8 };

function eastAsianValue(number: string): number {
  const digits = number.replace(/零/gu, "〇").replace(/[两兩俩]/gu, "二");
  // "二〇一九": one digit after the other.
  if (/^[〇一二三四五六七八九]+$/u.test(digits)) {
    return Number([...digits].map((digit) => DIGITS.indexOf(digit)).join(""));
  }
  let total = 0;
  let section = 0;
  let digit = 0;
  for (const sign of digits) {
    const power = POWERS[sign];
    const myriad = MYRIADS[sign];
    if (power !== undefined) {
      section += (digit || 1) * power;
      digit = 0;
    } else if (myriad !== undefined) {
      total += (section + digit || 1) * myriad;
      section = 0;
      digit = 0;
    } else digit = DIGITS.indexOf(sign);
  }
  return total + section + digit;
}
