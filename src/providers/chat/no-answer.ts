import { beginningOf } from "../../domain/word-beginning.ts";

/** What the model writes when no memory answers; a word that is in no answer. */
export const NO_ANSWER = "NO_ANSWER";

/** What it may be written in. */
const MARKS = "[*_`\"']{0,3}";
const AT_START = String.raw`(?<![\p{L}\p{N}])`;
/** As it is, or in any case where it is a word by itself: most words have an n. */
const SPELLED = `(?:${AT_START}${MARKS}(?i:${NO_ANSWER})|${MARKS}${NO_ANSWER})`;
const WORD = new RegExp(`${SPELLED}${MARKS}[ \\t]{0,3}[:.,;–—-]{0,3}[*_\`]{0,3}`, "gu");
const BEGINNING = beginningOf(NO_ANSWER);
const BEGINNING_OF_WORD = new RegExp(
  `(?:${AT_START}${MARKS}(?i:${BEGINNING})?|${MARKS}(?:${BEGINNING})?)$`,
  "gu",
);

/**
 * Takes the word that stands for no answer out of what a model says, wherever it stands,
 * with the punctuation around it, and with the blanks behind where there are some before. The text may come in pieces, cut anywhere; what may
 * become the word is held back until that is decided.
 */
export class NoAnswerFilter {
  #held = "";
  /** The character before that; "" at the start. */
  #before = "";
  #isMet = false;
  #isFirst = false;

  /** Whether the word was said. */
  get isMet(): boolean {
    return this.#isMet;
  }

  /** Whether it was the first that was said. */
  get isFirst(): boolean {
    return this.#isFirst;
  }

  push(text: string): string {
    return this.#read(text, false);
  }

  /** What was held back, now that nothing follows. */
  end(): string {
    return this.#read("", true);
  }

  #read(text: string, isEnd: boolean): string {
    const known = this.#before + this.#held + text;
    let said = "";
    let from = this.#before.length;
    for (let word = firstMatch(WORD, known, from); word; word = firstMatch(WORD, known, from)) {
      const isBehindBlank = /^$|\s/u.test(known[word.index - 1] ?? "");
      const wordEnd = word.index + word[0].length;
      const end = wordEnd + (isBehindBlank ? blanksAt(known, wordEnd) : 0);
      // It may go on.
      if (end === known.length && !isEnd) break;
      this.#isFirst ||= word.index === 0;
      this.#isMet = true;
      said += known.slice(from, word.index);
      from = end;
    }
    const held = isEnd ? known.length : this.#undecidedFrom(known, from);
    this.#held = known.slice(held);
    this.#before = /.$/su.exec(known.slice(0, held))?.[0] ?? "";
    return said + known.slice(from, held);
  }

  /** Where what may become the word begins. */
  #undecidedFrom(text: string, from: number): number {
    const undecided = firstMatch(WORD, text, from) ?? firstMatch(BEGINNING_OF_WORD, text, from);
    return undecided?.index ?? text.length;
  }
}

/** How many blanks stand at a place; more than a few are none that a model meant. */
function blanksAt(text: string, place: number): number {
  return /^\s{0,8}/u.exec(text.slice(place))?.[0].length ?? 0;
}

function firstMatch(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}
