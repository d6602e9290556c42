import { fold, wordsOf } from "@agent-memory/text";
import {
  MONTH_OF_NAME,
  type PartialDate,
  resolveRelativeDates,
  WEEKDAY_OF_NAME,
  writtenDates,
} from "@agent-memory/text/dates";
import type { Instant } from "../../../domain/instant.ts";
import type { ChatMessage } from "../../../domain/memory-write.ts";
import { shortened } from "../../../domain/rejected-fact.ts";
import type { Conversation } from "../../extractor.ts";
import type { Doubt } from "../../model-call.ts";
import type { StatedFact } from "../extraction-prompt.ts";
import { impliedDates } from "./implied-dates.ts";
import { createQuoteFinder, type LetteredText, lettersOf, readLetters } from "./letters.ts";
import { type Anchor, allKeysOf, anchorsOf, hasToken, type Mention, Mentions } from "./mentions.ts";

/** Of what was said elsewhere of the names of a fact, so much is shown. */
const MAX_ELSEWHERE = 3;

/** What a model is asked about a fact, or about what is taken back. */
export interface ClaimQuestion {
  readonly passage: Passage;
  /** The words of the message that were quoted, as they stand there; "": they are in other words. */
  readonly quote: string;
  /** What the conversation says elsewhere of the names and numbers that the passage has not. */
  readonly elsewhere: readonly string[];
  /** Dates, numbers and names of the fact that the conversation has nowhere, as they are. */
  readonly unwritten: readonly string[];
  /** Why the fact is not believed where the model says no more than that it is not stated. */
  readonly reason: Doubt;
}

export type Claim = Pick<StatedFact, "fact" | "quote" | "messageIndex" | "isRetraction">;

/** Reads what facts are held against, in slices. Rejects with the signal's reason. */
export async function readConversation(
  { messages, at }: Pick<Conversation, "messages" | "at">,
  signal: AbortSignal,
) {
  const mentions = new Mentions();
  const texts: LetteredText[] = [];
  for (const [index, { role, content, name = "" }] of messages.entries()) {
    const isUsers = role === "user";
    const isSaid = isUsers || role === "assistant";
    const text = await readLetters(isSaid ? content : "", signal, (piece) =>
      mentions.add(piece, index, isUsers),
    );
    mentions.add({ text: name, start: 0 }, index, isUsers);
    texts.push(text);
  }
  const find = createQuoteFinder(
    texts.map(({ letters }, index) => (messages[index]?.role === "user" ? letters : "")),
  );
  const passages = new Map<string, Passage>();
  const keysOf = remembered(({ words, before, by }) =>
    allKeysOf(`${words}\n${before}\n${by ?? ""}`),
  );
  const datesOf = remembered(({ words, before }) => datesIn(`${words}\n${before}`, at));

  /** What is to be asked about a claim; null: it was taken from no message of a user's. */
  function questionAbout(claim: Claim): ClaimQuestion | null {
    const found = find(claim.quote, claim.messageIndex);
    const messageIndex = found?.messageIndex ?? claim.messageIndex ?? -1;
    const message = messages[messageIndex];
    if (message?.role !== "user") return null;
    const text = texts[messageIndex];
    const place =
      found === null || text === undefined
        ? null
        : { start: text.placeOf(found.start), end: text.placeOf(found.end - 1) + 1 };
    const passage = onePassage(passageOf(messages, messageIndex, place, claim.isRetraction));
    const elsewhere = new Set<string>();
    const unwritten: Anchor[] = [];
    for (const anchor of anchorsOf(claim.fact)) {
      if (isIn(anchor, passage)) continue;
      const mention = anchor.kind === "dates" ? null : mentions.of(anchor.text);
      if (mention !== null) elsewhere.add(mentionShown(messages, mention));
      else if (!anchor.isFirst) unwritten.push(anchor);
    }
    const [first] = unwritten;
    return {
      passage,
      quote: place === null ? "" : message.content.slice(place.start, place.end),
      elsewhere: [...elsewhere].slice(0, MAX_ELSEWHERE),
      unwritten: unwritten.map(({ text }) => text),
      reason: found === null ? "quote" : (first?.kind ?? "words"),
    };
  }

  /** Facts of one passage are asked about together. */
  function onePassage(passage: Passage): Passage {
    const key = JSON.stringify(passage);
    const known = passages.get(key) ?? passage;
    passages.set(key, known);
    return known;
  }

  function isIn({ kind, text, readings }: Anchor, passage: Passage): boolean {
    if (kind === "dates") return readings.some((date) => hasDate(date, passage));
    return hasToken(keysOf(passage), text);
  }

  /** Whether a passage gives a date, as written or relative to the time of the conversation. */
  function hasDate(date: PartialDate, passage: Passage): boolean {
    return isBorneOut(date, datesOf(passage), at);
  }

  /** Whether a fact is a user's whole message, word for word. */
  function isVerbatim({ fact, isRetraction }: Claim, messageIndex: number): boolean {
    if (isRetraction || lettersOf(fact) !== texts[messageIndex]?.letters) return false;
    return sentence(fact) === sentence(messages[messageIndex]?.content ?? "");
  }

  return { questionAbout, isVerbatim, hasDate };
}

/** A text in one spelling of case and blanks, without the full stop at its end. */
export function sentence(text: string): string {
  return fold(text)
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[.!。！]$/u, "");
}

/** Makes what a passage has that a fact may say once, when it is asked for. */
function remembered<Value>(make: (passage: Passage) => Value): (passage: Passage) => Value {
  const known = new Map<Passage, Value>();
  return (passage) => {
    const value = known.get(passage) ?? make(passage);
    known.set(passage, value);
    return value;
  };
}

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
}

/** The passage around a quote; `quote` null: it is in other words, wherever it is. */
function passageOf(
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
function mentionShown(messages: readonly ChatMessage[], { messageIndex, offset }: Mention): string {
  const { role = "user", content = "" } = messages[messageIndex] ?? {};
  const from = Math.max(0, offset - CHARACTERS_BEFORE_MENTION);
  return `${role}: ${content.slice(from, from + CHARACTERS_AROUND_MENTION).toWellFormed()}`;
}

const DAY_MS = 86_400_000;
/** A weekday may be of the week before, of this one or of the next. */
const NEAR_DAYS = 14;
/** A date without its year is of the conversation's year or of one beside it. */
const MAX_YEARS_AWAY = 1;
const YEAR = /(?<!\d)(?:1[89]|20|21)\d\d(?!\d)/gu;

/**
 * The dates that a text gives or implies when it is said at a time: as written, or relative
 * to that time. It is generous where a text can be read in several ways, as it is there to
 * tell what was invented.
 */
function datesIn(text: string, at: Instant): PartialDate[] {
  const resolved = fold(`${text}\n${resolveRelativeDates(text, at)}`);
  return [
    ...writtenDates(resolved).flatMap(({ readings }) => readings),
    ...[...resolved.matchAll(YEAR)].map(([year]) => ({ year: Number(year) })),
    ...impliedDates(text, at),
    ...namedDays(wordsOf(text).map(fold), msOf(at)),
  ];
}

/** Whether some evidence bears out all that a date says. */
function isBorneOut(date: PartialDate, evidence: readonly PartialDate[], at: Instant): boolean {
  const thisYear = new Date(msOf(at)).getUTCFullYear();
  return evidence.some(
    ({ year, month, day }) =>
      (date.day === undefined || date.day === day) &&
      (date.month === undefined || date.month === month) &&
      (date.year === undefined ||
        (year === undefined
          ? Math.abs(date.year - thisYear) <= MAX_YEARS_AWAY
          : date.year === year)),
  );
}

function namedDays(words: readonly string[], today: number): PartialDate[] {
  const months = new Set(words.flatMap((word) => MONTH_OF_NAME.get(word) ?? []));
  const weekdays = new Set(words.flatMap((word) => WEEKDAY_OF_NAME.get(word) ?? []));
  const near = Array.from({ length: 2 * NEAR_DAYS + 1 }, (_, i) => {
    const date = new Date(today + (i - NEAR_DAYS) * DAY_MS);
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
    return weekdays.has(date.getUTCDay()) ? [{ year, month, day }] : [];
  });
  return [...[...months].map((month) => ({ month })), ...near.flat()];
}

function msOf(at: Instant): number {
  return Number(at / 1_000n);
}
