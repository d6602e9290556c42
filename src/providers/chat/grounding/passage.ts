import type { ChatMessage } from "../../../domain/memory-write.ts";
import { shortened } from "../untrusted-text.ts";
import type { Mention } from "./mentions.ts";

/** A message up to this length is shown whole. */
const MAX_PASSAGE_CHARACTERS = 600;
/** Of a longer one so much before its quote, for what its words refer to. */
const CHARACTERS_BEFORE_QUOTE = 250;
/** Where the quote is in other words, more of the message is shown. */
const MAX_WHOLE_CHARACTERS = 3_000;
const MAX_BEFORE_CHARACTERS = 300;
/** "That was wrong" may be said of what is further up. */
const MESSAGES_BEFORE_RETRACTION = 6;
const CHARACTERS_BEFORE_MENTION = 60;
const CHARACTERS_AROUND_MENTION = 160;

/** What a person wrote and facts were stated of, as a model is shown it. */
export interface Passage {
  readonly messageIndex: number;
  /** The message, or what stands around the quote. */
  readonly words: string;
  /** The name of who wrote it; null: none is known. */
  readonly by: string | null;
  /** What was said right before; "": nothing. */
  readonly before: string;
  /** Whether its lines look like a text from elsewhere. */
  readonly isPasted: boolean;
}

/** The passage around a quote; `quote` null: it is in other words, wherever it is. */
export function passageOf(
  messages: readonly ChatMessage[],
  messageIndex: number,
  quote: { readonly start: number; readonly end: number } | null,
  isRetraction: boolean,
): Passage {
  const { content = "", name = null } = messages[messageIndex] ?? {};
  return {
    messageIndex,
    words: quote === null ? shortened(content, MAX_WHOLE_CHARACTERS) : around(content, quote),
    by: name,
    before: before(messages, messageIndex, isRetraction ? MESSAGES_BEFORE_RETRACTION : 1),
    isPasted: quote !== null && isPasted(content, quote.start),
  };
}

function around(content: string, { start, end }: { start: number; end: number }): string {
  if (content.length <= MAX_PASSAGE_CHARACTERS) return content;
  const from = Math.max(0, start - CHARACTERS_BEFORE_QUOTE);
  const to = Math.max(from + MAX_PASSAGE_CHARACTERS, end);
  const shown = shortened(content.slice(from, to), 2 * MAX_PASSAGE_CHARACTERS);
  return `${from > 0 ? "…" : ""}${shown}`.toWellFormed();
}

/** The ends of the messages before one, of users and assistants. */
function before(messages: readonly ChatMessage[], messageIndex: number, count: number): string {
  const said: string[] = [];
  for (let i = messageIndex - 1; i >= 0 && said.length < count; i--) {
    const { role, content } = messages[i] as ChatMessage;
    if ((role !== "user" && role !== "assistant") || content.trim() === "") continue;
    said.unshift(`${role}: ${content.slice(-MAX_BEFORE_CHARACTERS).toWellFormed()}`);
  }
  return said.join("\n");
}

/** What stands around a word of a message. */
export function mentionShown(
  messages: readonly ChatMessage[],
  { messageIndex, offset }: Mention,
): string {
  const { role = "user", content = "" } = messages[messageIndex] ?? {};
  const from = Math.max(0, offset - CHARACTERS_BEFORE_MENTION);
  return `${role}: ${content.slice(from, from + CHARACTERS_AROUND_MENTION).toWellFormed()}`;
}

/** So far back the lines of a text are looked at. */
const MAX_PASTED_CHARACTERS = 8_192;
const QUOTED = /^\s*>/u;
const FENCE = /^\s*(?:```|~~~)/u;
/** "---------- Forwarded message ---------" */
const RULE = /^\s*-{3,20} ?\p{L}[^-]{0,80}-{3,20}\s*$/u;
/** "From: ada@example.com", "Anna: …", "[10:32] Anna B.: …" */
const LABELLED =
  /^\s*(?:\[[^\]]{1,30}\]\s*|\d{1,2}[:.]\d\d(?:[:.]\d\d)?\s*[-–]?\s*)?[\p{Lu}\p{Lo}][\p{L}\p{N}.'’_ -]{0,40}[:：]\s*\S/u;
/** One line with a label is a heading. */
const MIN_LABELLED = 2;

/**
 * Whether the line of a text at a place looks like one from elsewhere: quoted, in a fence,
 * behind the header of a mail, or of a conversation with a name before each line.
 */
function isPasted(text: string, place: number): boolean {
  const start = Math.max(0, place - MAX_PASTED_CHARACTERS);
  const end = text.indexOf("\n", place);
  const lines = text.slice(start, end < 0 ? start + 2 * MAX_PASTED_CHARACTERS : end).split("\n");
  const own = lines.pop() ?? "";
  if (QUOTED.test(own)) return true;
  if (lines.filter((line) => FENCE.test(line)).length % 2 === 1) return true;
  if (lines.some((line) => RULE.test(line))) return true;
  const labelled = lines.filter((line) => LABELLED.test(line));
  const isMail = labelled.length >= MIN_LABELLED && labelled.some((line) => line.includes("@"));
  return isMail || (LABELLED.test(own) && labelled.length + 1 >= MIN_LABELLED);
}
