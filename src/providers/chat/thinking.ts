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

/**
 * Removes a model's thoughts, and counts those without an opening tag. They are `<think>…</think>`,
 * of which servers omit either tag. Of a text that is not whole, a possible beginning of a tag is
 * left out.
 *
 * Of `<|channel|>analysis<|message|>…<|channel|>final<|message|>…` the final message remains.
 */
export function readSaid(text: string, isWhole: boolean) {
  let said = "";
  let from = 0;
  let isThinking = false;
  let unopenedThoughts = 0;
  /** The header of a message so far; null: the text is in none. */
  let header: string | null = null;
  for (const { 0: tag, 1: slash, 2: token, index } of text.matchAll(TAG)) {
    const before = text.slice(from, index);
    from = index + tag.length;
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
    else if (token !== "message") isThinking = false;
    else if (ended !== null) isThinking = !FINAL.test(ended + before);
  }
  const rest = text.slice(from);
  const isInHeader = header !== null && rest.length <= MAX_HEADER_CHARACTERS;
  if (isThinking || isInHeader) return { text: said, unopenedThoughts };
  return { text: said + (isWhole ? rest : withoutBeginningOfTag(rest)), unopenedThoughts };
}

function withoutBeginningOfTag(text: string): string {
  // A tag contains no other bracket.
  const start = Math.max(text.lastIndexOf("<"), text.lastIndexOf("["));
  return start >= 0 && BEGINNING_OF_TAG.test(text.slice(start)) ? text.slice(0, start) : text;
}

export function withoutThinking(text: string): string {
  return readSaid(text, true).text;
}

function beginningsOf(words: string): string {
  return words.split("|").map(beginningOf).join("|");
}

/** A regular expression for every beginning of a word of letters, from the first to all of them. */
export function beginningOf(word: string): string {
  const [first = "", ...others] = word;
  return others.length === 0 ? first : `${first}(?:${beginningOf(others.join(""))})?`;
}
