import { CHINESE } from "./lexicons/chinese.ts";
import { DUTCH } from "./lexicons/dutch.ts";
import { ENGLISH } from "./lexicons/english.ts";
import { FRENCH } from "./lexicons/french.ts";
import { GERMAN } from "./lexicons/german.ts";
import { ITALIAN } from "./lexicons/italian.ts";
import { JAPANESE } from "./lexicons/japanese.ts";
import type { Lexicon } from "./lexicons/lexicon.ts";
import { POLISH } from "./lexicons/polish.ts";
import { PORTUGUESE } from "./lexicons/portuguese.ts";
import { SPANISH } from "./lexicons/spanish.ts";

/** By ISO 639-1. */
export const LEXICONS = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  it: ITALIAN,
  pt: PORTUGUESE,
  nl: DUTCH,
  pl: POLISH,
  ja: JAPANESE,
  zh: CHINESE,
} satisfies Record<string, Lexicon>;
