import { fold } from "@agent-memory/text";
import { alternation, type Lexicon } from "./lexicons/lexicon.ts";
import { LEXICONS } from "./lexicons.ts";

export type Language = keyof typeof LEXICONS;
export const LANGUAGES = Object.keys(LEXICONS) as Language[];
/** Those that write no blanks. */
export const UNSPACED: ReadonlySet<Language> = new Set(["ja", "zh"]);

export type Marker = keyof Lexicon;

/** What is left of the letters of these languages when they are folded; a small class compiles fast. */
const FOLDED_LETTER = "[a-złøæœßđ]";
/** Where a language has nothing of a kind. */
const NOTHING = "(?!)";

const patterns = new Map<string, RegExp>();

/** The pattern for what a language has of a kind, with `g`; of all languages where any may be meant. */
export function patternOf(language: Language | "any", marker: Marker): RegExp {
  const key = `${language} ${marker}`;
  const known = patterns.get(key);
  if (known !== undefined) return known;
  const of = language === "any" ? LANGUAGES : [language];
  const pattern = new RegExp(of.map((each) => sourceOf(each, marker)).join("|"), "gu");
  patterns.set(key, pattern);
  return pattern;
}

/** The words of a kind, as a part of a pattern. */
export function sourceOf(language: Language, marker: Marker): string {
  const alternatives = alternation((LEXICONS[language] as Lexicon)[marker] ?? "");
  if (alternatives === "") return NOTHING;
  if (UNSPACED.has(language)) return `(?:${alternatives})`;
  const words = alternatives.replaceAll(String.raw`\p{L}`, FOLDED_LETTER);
  return `(?<!${FOLDED_LETTER}|\\d)(?:${words})(?!${FOLDED_LETTER}|\\d)`;
}

/** Where a folded text has words of a kind: start and end of each. */
export function markersIn(
  foldedText: string,
  language: Language | "any",
  marker: Marker,
): { readonly start: number; readonly end: number }[] {
  return [...foldedText.matchAll(patternOf(language, marker))].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
}

export function hasMarker(foldedText: string, language: Language | "any", marker: Marker): boolean {
  return foldedText.search(patternOf(language, marker)) >= 0;
}

/** As much of a text as its language is told by. */
const MAX_CHARACTERS = 1_000;
/** Letters that are of one of these languages, or of few. */
const LETTERS: Readonly<Partial<Record<Language, RegExp>>> = {
  de: /[äöüß]/giu,
  fr: /[èêçœûî]|à/giu,
  es: /[ñ¿¡]|[íóú]/giu,
  it: /[òì]|[àè](?!\p{L})/giu,
  pt: /[ãõ]|ç|ê/giu,
  nl: /ij|oe|[ëï]/giu,
  pl: /[łżźśąęńć]/giu,
};

/** A letter says less than a word. */
const LETTER_WEIGHT = 0.6;

/** What else tells a language, where the most common words leave it open. */
const TELLING = ["wish"] as const;
const MARKER_WEIGHT = 0.5;

/** The language of a text by its script, letters and most common words; null: it has none of them. */
export function languageOf(text: string): Language | null {
  return countedLanguages(text)[0]?.language ?? null;
}

/** How much less than the likeliest a language may show and still be meant; a word is 1. */
const MAX_FEWER_WORDS = 1;

/** A text with less than this shows no language. */
const MIN_WORDS = 1;

/** The languages that a text may be in, the likeliest first; all where it shows none. */
export function likelyLanguages(text: string): Language[] {
  const counted = countedLanguages(text);
  const most = counted[0]?.count ?? 0;
  if (most < MIN_WORDS) return [...LANGUAGES];
  return counted
    .filter(({ count }) => count >= most - MAX_FEWER_WORDS)
    .map(({ language }) => language);
}

/** How much of each language a text shows, most first. */
function countedLanguages(text: string): { language: Language; count: number }[] {
  const beginning = text.slice(0, MAX_CHARACTERS);
  const folded = fold(beginning);
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(folded)) {
    return [{ language: "ja", count: Number.POSITIVE_INFINITY }];
  }
  if (/\p{Script=Han}/u.test(folded)) {
    return [{ language: "zh", count: Number.POSITIVE_INFINITY }];
  }
  const counted = LANGUAGES.filter((language) => !UNSPACED.has(language))
    .map((language) => {
      const letters = LETTERS[language];
      const marks = letters === undefined ? 0 : (beginning.match(letters)?.length ?? 0);
      const words = markersIn(folded, language, "common").length;
      return { language, count: words + LETTER_WEIGHT * marks };
    })
    .toSorted((a, b) => b.count - a.count);
  const [first, second] = counted.map(({ count }) => count);
  const isClear = first !== undefined && second !== undefined && first - second > MAX_FEWER_WORDS;
  // A short text may have none of the most common words, and still "I want" or "never".
  return (isClear ? counted : counted.map(withMarkers))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);

  function withMarkers({ language, count }: { language: Language; count: number }) {
    const kinds = TELLING.filter((marker) => hasMarker(folded, language, marker)).length;
    return { language, count: count + MARKER_WEIGHT * kinds };
  }
}
