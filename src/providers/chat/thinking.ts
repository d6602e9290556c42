const NAMES = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad|seed:think";
const ATTRIBUTES = String.raw`\s[^<>[\]]{0,100}`;
/** Tokens of OpenAI's open models, which put a header before each message, and of Cohere's. */
const TOKENS =
  "start|channel|constrain|message|end|return|call|start_thinking|end_thinking|start_response|end_response";
const TAG = String.raw`[<[◁](\/?)(?:${NAMES})(?:${ATTRIBUTES})?[>\]▷]|<\|(${TOKENS})\|>`;
/** A tag without its end. */
const BEGINNING_OF_TAG = new RegExp(
  String.raw`^(?:[<[◁]\/?(?:(?:${beginningsOf(NAMES)})?|(?:${NAMES})${ATTRIBUTES})|<\|(?:(?:${beginningsOf(TOKENS)})?|(?:${TOKENS})\|))$`,
  "iu",
);
/** A text of JSON, whose quotation marks are where the format wants them. */
export const jsonString = (quote: string) =>
  String.raw`${quote}(?<=[{[,:]\s*${quote})[^${quote}\\]*(?:\\.[^${quote}\\]*)*${quote}(?=\s*[,:}\]])`;
const TAG_IN_PROSE = new RegExp(TAG, "giu");
const TAG_OR_STRING = new RegExp(`${jsonString('"')}|${TAG}`, "gisu");
/** What stands around a tag that a sentence speaks of, such as "all up to the </think> tag". */
const BEFORE_QUOTED = /[\p{L}\p{N},][ \t]+$|["'`“‘„«(「『]$/u;
const BEHIND_QUOTED = /^[ \t"'`”’»),.;:!?」』。、]/u;
/** The header of text for the user; other channels hold thoughts and calls. */
const FINAL = /^\s*(?:final|assistant)\b/u;
const MAX_HEADER_CHARACTERS = 100;

/**
 * Removes a model's thoughts, and counts those without an opening tag. They are `<think>…</think>`,
 * of which servers omit either tag. Of a text that is not whole, a possible beginning of a tag is
 * left out. A tag within a sentence is what the sentence speaks of.
 *
 * Of `<|channel|>analysis<|message|>…<|channel|>final<|message|>…` the final message remains.
 */
export function readSaid(text: string, isWhole: boolean, tags = TAG_IN_PROSE) {
  let said = "";
  let from = 0;
  let to = text.length;
  let isThinking = false;
  let unopenedThoughts = 0;
  /** The header of a message so far; null: the text is in none. */
  let header: string | null = null;
  /** Where an opening tag that a sentence speaks of stands. */
  let quotedAt: number | null = null;
  for (const { 0: tag, 1: slash, 2: token, index } of text.matchAll(tags)) {
    if (slash === undefined && token === undefined) continue;
    const end = index + tag.length;
    // The next character tells what it is.
    if (!isWhole && end === text.length && slash !== "") {
      to = index;
      break;
    }
    if (!isThinking && header === null) {
      const isClosed: boolean =
        slash === "/" && quotedAt !== null && !text.slice(quotedAt, index).includes("\n");
      const isQuoted: boolean = isClosed || isInSentence(text, index, end, slash === "");
      quotedAt = isQuoted && slash === "" ? index : null;
      if (isQuoted) continue;
    }
    const before = text.slice(from, index);
    from = end;
    if (token === undefined) {
      if (!isThinking) said = slash === "" ? said + before : "";
      if (!isThinking && slash !== "") unopenedThoughts++;
      isThinking = slash === "";
      continue;
    }
    if (before.length > MAX_HEADER_CHARACTERS) header = null;
    if (!isThinking && header === null) said += before;
    const ended: string | null = header;
    header = null;
    if (token === "channel" || token === "start") header = "";
    else if (token === "constrain" && ended !== null) header = ended + before;
    else if (token !== "message") isThinking = /^start_thinking$/iu.test(token);
    else if (ended !== null) isThinking = !FINAL.test(ended + before);
  }
  const rest = text.slice(from, to);
  const isInHeader = header !== null && rest.length <= MAX_HEADER_CHARACTERS;
  if (isThinking || isInHeader) return { text: said, unopenedThoughts };
  return { text: said + (isWhole ? rest : withoutBeginningOfTag(rest)), unopenedThoughts };
}

/** Whether a sentence speaks of the tag: real ones stand between sentences. */
function isInSentence(text: string, start: number, end: number, isOpening: boolean): boolean {
  if (!BEFORE_QUOTED.test(text.slice(Math.max(0, start - 8), start))) return false;
  return isOpening || BEHIND_QUOTED.test(text.slice(end, end + 1));
}

function withoutBeginningOfTag(text: string): string {
  // A tag contains no other bracket.
  const start = Math.max(...["<", "[", "◁"].map((bracket) => text.lastIndexOf(bracket)));
  return start >= 0 && BEGINNING_OF_TAG.test(text.slice(start)) ? text.slice(0, start) : text;
}

/** The text without a model's thoughts; in texts of JSON there are none. */
export function withoutThinking(text: string): string {
  return readSaid(text, true, TAG_OR_STRING).text;
}

/** Whether an answer that was cut off holds nothing but thoughts, also without an opening tag. */
export function isAllThoughts(text: string, isJson: boolean): boolean {
  const said = withoutThinking(text);
  return said.trim() === "" || (isJson && !said.includes("{"));
}

function beginningsOf(words: string): string {
  return words.split("|").map(beginningOf).join("|");
}

/** A regular expression for every beginning of a word of letters, from the first to all of them. */
export function beginningOf(word: string): string {
  const [first = "", ...others] = word;
  return others.length === 0 ? first : `${first}(?:${beginningOf(others.join(""))})?`;
}
