import { CHINESE } from "./category-words/chinese.ts";
import { DUTCH } from "./category-words/dutch.ts";
import { ENGLISH } from "./category-words/english.ts";
import { FRENCH } from "./category-words/french.ts";
import { GERMAN } from "./category-words/german.ts";
import { ITALIAN } from "./category-words/italian.ts";
import { JAPANESE } from "./category-words/japanese.ts";
import type { CategoryWords } from "./category-words/language-words.ts";
import { MEDICINES } from "./category-words/medicines.ts";
import { POLISH } from "./category-words/polish.ts";
import { PORTUGUESE } from "./category-words/portuguese.ts";
import { SPANISH } from "./category-words/spanish.ts";

const LANGUAGES = [
  ENGLISH,
  GERMAN,
  FRENCH,
  SPANISH,
  ITALIAN,
  PORTUGUESE,
  DUTCH,
  POLISH,
  JAPANESE,
  CHINESE,
];

/** The lists of each category in all languages, by its name in the form of `topicKey`. */
export const CATEGORY_WORDS: ReadonlyMap<string, readonly CategoryWords[]> = new Map([
  ["health medical", [...LANGUAGES.map(({ health }) => health), { topics: "", words: MEDICINES }]],
  ["legal status", LANGUAGES.map(({ legal }) => legal)],
]);

/** Phrases in which words of the lists say nothing of anybody. */
export const HARMLESS_PHRASES: readonly string[] = LANGUAGES.map(({ harmless }) => harmless);
