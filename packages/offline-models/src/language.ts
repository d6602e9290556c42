import { wordsOf } from "@agent-memory/text";
import common from "./common-words.json" with { type: "json" };

/** As much of a text as is looked at. */
const MAX_CHARACTERS = 4_000;
/** So many words of another language, and more than English ones, tell a text as foreign. */
const MIN_FOREIGN_WORDS = 2;
/** A text of so many words without a single common English one is in some other language... */
const MIN_WORDS_WITHOUT_ENGLISH = 5;
/** ...if its script is another, or its letters bear so many marks that English lacks. */
const MIN_MARKED_LETTERS = 2;
const MIN_SHARE_OF_OTHER_SCRIPT = 0.4;

const CODE = /```[^`]*(?:```|$)|`[^`\n]{1,200}`/gu;
/** Addresses, paths and names of programs. */
const NO_WORD = /[@/\\_=<>{}#]/u;
const LATIN = /\p{Script=Latin}/gu;
const OTHER_SCRIPT = /(?!\p{Script=Latin})\p{L}/gu;
const MARKED = /(?![a-z])\p{Ll}/gu;

/** Common words of English, and of other languages in Latin script that are none of English. */
const ENGLISH: ReadonlySet<string> = new Set(common.english.join(" ").split(" "));
const FOREIGN: ReadonlySet<string> = new Set(common.others.join(" ").split(" "));

/** The words of a text that is prose, how many are common ones of which language, and its letters. */
export function languageSigns(text: string) {
  const prose = text
    .slice(0, MAX_CHARACTERS)
    .replace(CODE, " ")
    .split(/\s+/u)
    .filter((word) => !NO_WORD.test(word))
    .join(" ");
  const others = prose.match(OTHER_SCRIPT)?.length ?? 0;
  const latin = prose.match(LATIN)?.length ?? 0;
  const words = wordsOf(prose)
    .filter((word, i) => i === 0 || !/^\p{Lu}/u.test(word))
    .map((word) => word.toLowerCase());
  return {
    isOtherScript:
      others >= MIN_FOREIGN_WORDS && others >= MIN_SHARE_OF_OTHER_SCRIPT * (others + latin),
    words: words.length,
    english: words.filter((word) => ENGLISH.has(word)).length,
    foreign: words.filter((word) => FOREIGN.has(word)).length,
    marked: words.join("").match(MARKED)?.length ?? 0,
  };
}

/** Whether a text is prose in another language, by script and common words; in doubt not. */
export function isForeignProse(text: string): boolean {
  const { isOtherScript, words, english, foreign, marked } = languageSigns(text);
  return (
    isOtherScript ||
    (foreign >= MIN_FOREIGN_WORDS && foreign > english) ||
    (english === 0 && words >= MIN_WORDS_WITHOUT_ENGLISH && marked >= MIN_MARKED_LETTERS)
  );
}

/** Whether a sentence, or a part of it, is in another language; in a foreign message it must be English to be none. */
export function isForeignSentence(sentence: string, isInForeign: boolean): boolean {
  if (!isInForeign) return sentence.split(/[,;:–—]\s/u).some(isForeignProse);
  const { isOtherScript, english, foreign } = languageSigns(sentence);
  return isOtherScript || english < MIN_FOREIGN_WORDS || english <= foreign;
}
