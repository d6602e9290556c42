import { beginningOf } from "./thinking.ts";

/** The model writes this word when no memory answers. No answer contains it. */
export const NO_ANSWER = "NO_ANSWER";

/** Markup around the word. */
const MARKS = "[*_`\"']{0,3}";
const AT_START = String.raw`(?<![\p{L}\p{N}])`;
/** The exact word, or a whole word in any case. */
const SPELLED = `(?:${AT_START}${MARKS}(?i:${NO_ANSWER})|${MARKS}${NO_ANSWER})`;
const WORD = `${SPELLED}${MARKS}[ \\t]{0,3}[:.,;–—-]{0,3}[*_\`]{0,3}`;
/** After a blank it goes with the following blanks. */
const REMOVED = new RegExp(String.raw`(?:(?<=^|\s)${WORD}\s{0,8}|${WORD})`, "gu");
const BEGINNING = beginningOf(NO_ANSWER);
/** What the next piece of the text may continue. */
const UNDECIDED = new RegExp(
  String.raw`(?:${WORD}\s{0,8}|${AT_START}${MARKS}(?i:${BEGINNING})?|${MARKS}(?:${BEGINNING})?)$`,
  "u",
);

/** The text without the word for no answer; of one that is not whole, as far as it is decided. */
export function withoutNoAnswer(text: string, isWhole: boolean): string {
  return (isWhole ? text : text.slice(0, text.search(UNDECIDED))).replace(REMOVED, "");
}

/** Where a whole text has the word first; -1: nowhere. */
export function noAnswerAt(text: string): number {
  return text.search(REMOVED);
}
