import { answerText, MAX_ANSWER_CHARACTERS } from "./chat-model.ts";
import { unusable } from "./upstream/upstream-error.ts";

/** The text of a chat model that comes in pieces. Untrusted. */
export class StreamedText {
  readonly #onText: (text: string) => void;
  #text = "";
  /** A high surrogate whose low surrogate is in the next piece. */
  #half = "";

  /** `onText` receives each piece as valid Unicode. */
  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  /** Throws an `UpstreamError` for a piece that is no text, and for too much text. Ignores null and undefined. */
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

  /** Ends the text and returns all of it. "": there was none. */
  end(): string {
    this.#handOn(this.#half);
    this.#half = "";
    return answerText(this.#text);
  }

  #handOn(text: string): void {
    if (text !== "") this.#onText(text.toWellFormed());
  }
}
