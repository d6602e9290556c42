import { beginningOf } from "../../domain/word-beginning.ts";

/** The model writes this word when no memory answers. No answer contains it. */
export const NO_ANSWER = "NO_ANSWER";

/** Markup around the word. */
const MARKS = "[*_`\"']{0,3}";
const AT_START = String.raw`(?<![\p{L}\p{N}])`;
/** The exact word, or a whole word in any case. */
const SPELLED = `(?:${AT_START}${MARKS}(?i:${NO_ANSWER})|${MARKS}${NO_ANSWER})`;
const WORD = new RegExp(`${SPELLED}${MARKS}[ \\t]{0,3}[:.,;–—-]{0,3}[*_\`]{0,3}`, "gu");
const BEGINNING = beginningOf(NO_ANSWER);
const BEGINNING_OF_WORD = new RegExp(
  `(?:${AT_START}${MARKS}(?i:${BEGINNING})?|${MARKS}(?:${BEGINNING})?)$`,
  "gu",
);

/**
 * Removes the word for no answer from a model's text, with its punctuation. After a blank it also
 * removes the following blanks. The text may come in pieces, cut anywhere: a possible beginning
 * of the word is held back until it is decided.
 */
export class NoAnswerFilter {
  #held = "";
  /** The character before the held text; "" at the start. */
  #before = "";
  #isMet = false;
  #isFirst = false;

  /** Whether the word occurred. */
  get isMet(): boolean {
    return this.#isMet;
  }

  /** Whether the text began with the word. */
  get isFirst(): boolean {
    return this.#isFirst;
  }

  push(text: string): string {
    return this.#read(text, false);
  }

  /** Ends the text and returns the held part. */
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
      // The next piece may continue it.
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

  /** The position of a possible beginning of the word. */
  #undecidedFrom(text: string, from: number): number {
    const undecided = firstMatch(WORD, text, from) ?? firstMatch(BEGINNING_OF_WORD, text, from);
    return undecided?.index ?? text.length;
  }
}

/** The number of blanks at a position, up to a small limit. */
function blanksAt(text: string, position: number): number {
  return /^\s{0,8}/u.exec(text.slice(position))?.[0].length ?? 0;
}

function firstMatch(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}
