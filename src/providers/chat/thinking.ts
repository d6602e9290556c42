import { beginningOf } from "../../domain/word-beginning.ts";

const NAMES = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad";
const ATTRIBUTES = String.raw`\s[^<>[\]]{0,100}`;
/** Tokens of the format of OpenAI's open models, which put a header before each message. */
const TOKENS = "start|channel|constrain|message|end|return|call";
const TAG = new RegExp(
  String.raw`[<[](\/?)(?:${NAMES})(?:${ATTRIBUTES})?[>\]]|<\|(${TOKENS})\|>`,
  "giu",
);
/** A tag without its end. */
const BEGINNING_OF_TAG = new RegExp(
  String.raw`^(?:[<[]\/?(?:(?:${beginningsOf(NAMES)})?|(?:${NAMES})${ATTRIBUTES})|<\|(?:(?:${beginningsOf(TOKENS)})?|(?:${TOKENS})\|))$`,
  "iu",
);
/** The header of text for the user; other channels hold thoughts and calls. */
const FINAL = /^\s*(?:final|assistant)\b/u;
const MAX_HEADER_CHARACTERS = 100;

/** The next text of a model, without its thoughts. */
export interface SaidText {
  readonly text: string;
  /** Whether all earlier text proved to be thoughts. */
  readonly isFresh: boolean;
}

/**
 * Removes a model's thoughts from its text: `<think>…</think>`, also without the closing tag, and
 * without the opening tag, which some servers omit. The text may come in pieces, cut anywhere: a
 * possible beginning of a tag is held back until it is decided.
 *
 * Of `<|channel|>analysis<|message|>…<|channel|>final<|message|>…` the final message remains.
 */
export class ThinkingFilter {
  #held = "";
  #isThinking = false;
  /** The header of a message so far; null: the text is in none. */
  #header: string | null = null;

  push(text: string): SaidText {
    const known = this.#held + text;
    let said = "";
    let from = 0;
    let isFresh = false;
    for (const { 0: tag, 1: slash, 2: token, index } of known.matchAll(TAG)) {
      if (token !== undefined) {
        said += this.#readTo(token, known.slice(from, index));
        from = index + tag.length;
        continue;
      }
      if (!this.#isThinking && slash === "") said += known.slice(from, index);
      if (!this.#isThinking && slash !== "") {
        said = "";
        isFresh = true;
      }
      this.#isThinking = slash === "";
      from = index + tag.length;
    }
    const rest = known.slice(from);
    if (rest.length > MAX_HEADER_CHARACTERS) this.#header = null;
    const held = this.#header === null ? beginningOfTagIn(rest) : 0;
    this.#held = rest.slice(held);
    return { text: this.#isThinking ? said : said + rest.slice(0, held), isFresh };
  }

  /** The part of the text before a token that is no thought. */
  #readTo(token: string, text: string): string {
    const header = text.length > MAX_HEADER_CHARACTERS ? null : this.#header;
    const isSaid = !this.#isThinking && header === null;
    this.#header = null;
    if (token === "channel" || token === "start") this.#header = "";
    else if (token === "constrain" && header !== null) this.#header = header + text;
    else if (token !== "message") this.#isThinking = false;
    else if (header !== null) this.#isThinking = !FINAL.test(header + text);
    return isSaid ? text : "";
  }

  /** Ends the text and returns the held part. */
  end(): string {
    const held = this.#isThinking || this.#header !== null ? "" : this.#held;
    this.#held = "";
    return held;
  }
}

/** The position of a possible beginning of a tag; the length of the text: none. */
function beginningOfTagIn(text: string): number {
  // A tag contains no other bracket.
  const start = Math.max(text.lastIndexOf("<"), text.lastIndexOf("["));
  return start >= 0 && BEGINNING_OF_TAG.test(text.slice(start)) ? start : text.length;
}

/** A whole text without its thoughts. */
export function withoutThinking(text: string): string {
  const filter = new ThinkingFilter();
  return filter.push(text).text + filter.end();
}

function beginningsOf(words: string): string {
  return words.split("|").map(beginningOf).join("|");
}
