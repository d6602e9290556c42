import { beginningOf } from "../../domain/word-beginning.ts";

/** What the model writes when no memory answers; a word that is in no answer. */
export const NO_ANSWER = "NO_ANSWER";

/** What it may be written in. */
const MARKS = "[*_`\"']{0,3}";
const WORD = new RegExp(`${MARKS}${NO_ANSWER}${MARKS}[ \\t]{0,3}[:.,;–—-]{0,3}[*_\`]{0,3}`, "iu");
const BEGINNING_OF_WORD = new RegExp(`${MARKS}(?:${beginningOf(NO_ANSWER)})?$`, "iu");

/**
 * Takes the word that stands for no answer out of what a model says, wherever it stands,
 * with the punctuation around it. The text may come in pieces, cut anywhere; what may
 * become the word is held back until that is decided.
 */
export class NoAnswerFilter {
  #held = "";
  #isAtStart = true;
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
    let rest = this.#held + text;
    let said = "";
    for (let word = WORD.exec(rest); word !== null; word = WORD.exec(rest)) {
      const end = word.index + word[0].length;
      // It may go on.
      if (end === rest.length && !isEnd) return this.#hold(said, rest, word.index);
      this.#isFirst ||= this.#isAtStart && !this.#isMet && said === "" && word.index === 0;
      this.#isMet = true;
      said += rest.slice(0, word.index);
      rest = rest.slice(end);
    }
    return this.#hold(said, rest, isEnd ? rest.length : rest.search(BEGINNING_OF_WORD));
  }

  #hold(said: string, rest: string, from: number): string {
    this.#held = rest.slice(from);
    const certain = said + rest.slice(0, from);
    this.#isAtStart &&= certain === "";
    return certain;
  }
}
