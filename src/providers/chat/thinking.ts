import { beginningOf } from "../../domain/word-beginning.ts";

const NAMES = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad";
const ATTRIBUTES = String.raw`\s[^<>[\]]{0,100}`;
const TAG = new RegExp(String.raw`[<[](\/?)(?:${NAMES})(?:${ATTRIBUTES})?[>\]]`, "giu");
/** All but the end of a tag, as far as it is there. */
const BEGINNING_OF_TAG = new RegExp(
  String.raw`^[<[]\/?(?:(?:${NAMES.split("|").map(beginningOf).join("|")})?|(?:${NAMES})${ATTRIBUTES})$`,
  "iu",
);

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
 */
export class ThinkingFilter {
  #held = "";
  #isThinking = false;

  push(text: string): SaidText {
    const known = this.#held + text;
    let said = "";
    let from = 0;
    let isFresh = false;
    for (const { 0: tag, 1: slash, index } of known.matchAll(TAG)) {
      if (!this.#isThinking && slash === "") said += known.slice(from, index);
      if (!this.#isThinking && slash !== "") {
        said = "";
        isFresh = true;
      }
      this.#isThinking = slash === "";
      from = index + tag.length;
    }
    const rest = known.slice(from);
    const held = beginningOfTagIn(rest);
    this.#held = rest.slice(held);
    return { text: this.#isThinking ? said : said + rest.slice(0, held), isFresh };
  }

  /** What was held back, now that nothing follows. */
  end(): string {
    const held = this.#isThinking ? "" : this.#held;
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
