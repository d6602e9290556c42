import { type CitedAnswer, CitedText, uncited } from "../../domain/citations.ts";
import { NONE_ANSWERS } from "../answerer.ts";
import { nonsense } from "./model-answer.ts";
import { NoAnswerFilter } from "./no-answer.ts";
import { ThinkingFilter } from "./thinking.ts";

/** Longest sentence after the word for no answer, in the language of the question. */
const MAX_NO_ANSWER_CHARACTERS = 300;

/** More prose than the token limit allows. */
const MAX_ANSWER_CHARACTERS = 16 * 1024;

/**
 * Reads a model's answer to a question, whole or in pieces that are cut anywhere, with the same
 * result. The certain part of the answer can be taken before the rest has come.
 */
export class AnswerReader {
  readonly #offered: number;
  readonly #thoughts = new ThinkingFilter();
  #word = new NoAnswerFilter();
  #cited: CitedText;
  /** Characters up to the last one that is no white space. */
  #length = 0;
  #lengthWithBlanks = 0;
  #isTaken = false;
  #mayBeThinking: boolean;
  #hasUnopenedThoughts = false;

  /**
   * The prompt had `offered` memories, numbered from 1. `mayBeThinking`: the text may begin with
   * thoughts without an opening tag, so that nothing can be taken before their end.
   */
  constructor(offered: number, mayBeThinking: boolean) {
    this.#offered = offered;
    this.#cited = new CitedText(offered);
    this.#mayBeThinking = mayBeThinking;
  }

  /** Whether thoughts came without an opening tag. */
  get hasUnopenedThoughts(): boolean {
    return this.#hasUnopenedThoughts;
  }

  /**
   * Reads the next piece. Throws `model_unavailable` where a taken part proves to be no answer:
   * it was thoughts, or the answer exceeds its limit.
   */
  push(text: string): void {
    const { text: said, isFresh } = this.#thoughts.push(text);
    if (isFresh) this.#forget();
    this.#say(said);
  }

  /** The certain part of the answer with citations that was not taken yet. */
  take(): string {
    if (this.#mayBeThinking || this.#isTooLong || !this.#cited.isCited) return "";
    const taken = this.#cited.take();
    this.#isTaken ||= taken !== "";
    return taken;
  }

  /**
   * Ends the text and returns the answer; of one that was cut off, up to its last cited
   * sentence. null: there is none. Throws as `push` does.
   */
  end(isCutOff = false): CitedAnswer | null {
    this.#say(this.#thoughts.end());
    if (this.#isTooLong) return null;
    this.#cited.push(this.#word.end());
    const cited = this.#cited.end(isCutOff);
    if (isCutOff && cited.cited.length === 0) return null;
    const { isMet, isFirst } = this.#word;
    if (!/[\p{L}\p{N}]/u.test(cited.answer)) return isMet ? NONE_ANSWERS : null;
    if (!isFirst) return cited;
    const isNoneAlone = cited.cited.length === 0 && cited.answer.length <= MAX_NO_ANSWER_CHARACTERS;
    return isNoneAlone
      ? uncited(cited.answer)
      : { ...cited, grounded: false, answerKind: "closest" };
  }

  /** Everything so far was thoughts. */
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
