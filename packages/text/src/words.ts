import { stemmer } from "stemmer";
import { straightenApostrophes } from "./folding.ts";

/** Longer runs without a break are no words (keys, base64); they are cut into pieces. */
const MAX_WORD_CHARACTERS = 48;

/** Chinese and Japanese write no spaces: each of their characters is a word of its own. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]+(?:'\p{L}+)*|[\p{Extended_Pictographic}--\p{N}]|\p{Sc}/gv;

const ASCII_WORD = /^[a-z]+$/u;

/** The words of a text in order, as written. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of straightenApostrophes(text).matchAll(WORD)) {
    for (let start = 0; start < word.length; start += MAX_WORD_CHARACTERS) {
      words.push(word.slice(start, start + MAX_WORD_CHARACTERS));
    }
  }
  return words;
}

/** The stem of a folded word; words that are not English keep their form. */
export function stemOf(foldedWord: string): string {
  const bare = foldedWord.replace(/'s?$/u, "");
  return ASCII_WORD.test(bare) ? stemmer(bare) : bare;
}
