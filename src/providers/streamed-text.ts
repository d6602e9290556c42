import { answerText, MAX_ANSWER_CHARACTERS } from "./chat-model.ts";
import { unusable } from "./upstream/upstream-error.ts";

/** What a chat model says in pieces, as they come. Untrusted. */
export class StreamedText {
  readonly #onText: (text: string) => void;
  #text = "";
  /** The first half of a character whose second half is in the next piece. */
  #half = "";

  /** `onText` is given each piece as valid Unicode. */
  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  /** Throws an `UpstreamError` for what is no text, or where there is too much; null and undefined are none. */
  push(piece: unknown): void {
    if (piece === null || piece === undefined || piece === "") return;
    if (typeof piece !== "string") throw unusable("a piece that is no text");
    this.#text += piece;
    if (this.#text.length > MAX_ANSWER_CHARACTERS)
      throw unusable("an answer longer than its limit");
    const text = this.#half + piece;
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    this.#handOn(text.slice(0, text.length - this.#half.length));
  }

  /** The whole text, now that nothing follows. "": nothing was said. */
  end(): string {
    this.#handOn(this.#half);
    this.#half = "";
    return answerText(this.#text);
  }

  #handOn(text: string): void {
    if (text !== "") this.#onText(text.toWellFormed());
  }
}
