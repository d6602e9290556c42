import { beginningOf } from "../../domain/word-beginning.ts";

const NAMES = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad";
const ATTRIBUTES = String.raw`\s[^<>[\]]{0,100}`;
/** Of the format in which OpenAI's open models write, with a header before each message. */
const TOKENS = "start|channel|constrain|message|end|return|call";
const TAG = new RegExp(
  String.raw`[<[](\/?)(?:${NAMES})(?:${ATTRIBUTES})?[>\]]|<\|(${TOKENS})\|>`,
  "giu",
);
/** All but the end of a tag, as far as it is there. */
const BEGINNING_OF_TAG = new RegExp(
  String.raw`^(?:[<[]\/?(?:(?:${beginningsOf(NAMES)})?|(?:${NAMES})${ATTRIBUTES})|<\|(?:(?:${beginningsOf(TOKENS)})?|(?:${TOKENS})\|))$`,
  "iu",
);
/** The header of what is said to the user; other channels are of thoughts and calls. */
const FINAL = /^\s*(?:final|assistant)\b/u;
const MAX_HEADER_CHARACTERS = 100;

/** What a model wrote next, without its thinking. */
export interface SaidText {
  readonly text: string;
  /** Whether all that it had written before was thinking too. */
  readonly isFresh: boolean;
}

/**
 * Takes a model's thinking out of what it writes: `<think>…</think>`, also where the end is
 * missing, and where the beginning is, which servers leave out. The text may come in
 * pieces, cut anywhere; what may become a tag is held back until that is decided.
 *
 * Of `<|channel|>analysis<|message|>…<|channel|>final<|message|>…` what is final is said.
 */
export class ThinkingFilter {
  #held = "";
  #isThinking = false;
  /** What was read of the header of a message; null: it is not in one. */
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

  /** What is said in the text before a token. */
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

  /** What was held back, now that nothing follows. */
  end(): string {
    const held = this.#isThinking || this.#header !== null ? "" : this.#held;
    this.#held = "";
    return held;
  }
}

/** Where what may become a tag begins; the length of the text: nowhere. */
function beginningOfTagIn(text: string): number {
  // No tag has another bracket in it.
  const start = Math.max(text.lastIndexOf("<"), text.lastIndexOf("["));
  return start >= 0 && BEGINNING_OF_TAG.test(text.slice(start)) ? start : text.length;
}

/** A whole text without what the model thought before it. */
export function withoutThinking(text: string): string {
  const filter = new ThinkingFilter();
  return filter.push(text).text + filter.end();
}

function beginningsOf(words: string): string {
  return words.split("|").map(beginningOf).join("|");
}
