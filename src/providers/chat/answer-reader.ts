import { type CitedAnswer, CitedText, uncited } from "../../domain/citations.ts";
import { NONE_ANSWERS } from "../answerer.ts";
import { nonsense } from "./model-answer.ts";
import { NoAnswerFilter } from "./no-answer.ts";
import { ThinkingFilter } from "./thinking.ts";

/** What the model may say behind the word for no answer, in the language of the question. */
const MAX_NO_ANSWER_CHARACTERS = 300;

/** More than it has tokens for, as prose. */
const MAX_ANSWER_CHARACTERS = 16 * 1024;

/**
 * Reads what a model says to a question, whole or in pieces, cut anywhere: it makes the
 * same answer. Of that, what is certain can be taken while the rest is still to come.
 */
export class AnswerReader {
  readonly #offered: number;
  readonly #thoughts = new ThinkingFilter();
  #word = new NoAnswerFilter();
  #cited: CitedText;
  /** Characters that were said, to the last that is no white space. */
  #length = 0;
  #lengthWithBlanks = 0;
  #isTaken = false;
  #mayBeThinking: boolean;
  #hasUnopenedThoughts = false;

  /**
   * `offered` memories were shown, numbered from 1. `mayBeThinking`: what it says first may
   * be thoughts without a tag before them, so that nothing can be taken before their end.
   */
  constructor(offered: number, mayBeThinking: boolean) {
    this.#offered = offered;
    this.#cited = new CitedText(offered);
    this.#mayBeThinking = mayBeThinking;
  }

  /** Whether it had thoughts without a tag before them. */
  get hasUnopenedThoughts(): boolean {
    return this.#hasUnopenedThoughts;
  }

  /**
   * Reads on. Throws `model_unavailable` where what was taken turns out to be no answer:
   * its thoughts, or the beginning of what never ends.
   */
  push(text: string): void {
    const { text: said, isFresh } = this.#thoughts.push(text);
    if (isFresh) this.#forget();
    this.#say(said);
  }

  /** What was not yet taken of the answer with citations, as far as it is certain. */
  take(): string {
    if (this.#mayBeThinking || this.#isTooLong || !this.#cited.isCited) return "";
    const taken = this.#cited.take();
    this.#isTaken ||= taken !== "";
    return taken;
  }

  /** The answer, now that nothing follows; null: it is none. Throws as `push` does. */
  end(): CitedAnswer | null {
    this.#say(this.#thoughts.end());
    if (this.#isTooLong) return null;
    this.#cited.push(this.#word.end());
    const cited = this.#cited.end();
    const { isMet, isFirst } = this.#word;
    if (!/[\p{L}\p{N}]/u.test(cited.answer)) return isMet ? NONE_ANSWERS : null;
    const isNoneAlone =
      isFirst && cited.cited.length === 0 && cited.answer.length <= MAX_NO_ANSWER_CHARACTERS;
    return isNoneAlone ? uncited(cited.answer) : cited;
  }

  /** All that was said so far were thoughts. */
  #forget(): void {
    this.#hasUnopenedThoughts = true;
    if (this.#isTaken) throw nonsense("thoughts in the place of an answer");
    this.#mayBeThinking = false;
    this.#word = new NoAnswerFilter();
    this.#cited = new CitedText(this.#offered);
    this.#length = 0;
    this.#lengthWithBlanks = 0;
  }

  #say(text: string): void {
    const said = this.#lengthWithBlanks === 0 ? text.trimStart() : text;
    const blanks = said.length - said.trimEnd().length;
    this.#lengthWithBlanks += said.length;
    if (blanks < said.length) this.#length = this.#lengthWithBlanks - blanks;
    if (!this.#isTooLong) this.#cited.push(this.#word.push(said));
    else if (this.#isTaken) throw nonsense("an answer longer than its limit");
  }

  get #isTooLong(): boolean {
    return this.#length > MAX_ANSWER_CHARACTERS;
  }
}
