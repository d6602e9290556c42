import type { ChatMessage } from "../../../domain/conversation.ts";
import { fold } from "../../../domain/folding.ts";
import type { Conversation } from "../../extractor.ts";
import { sentencesOf } from "../../text/sentences.ts";
import { dateEvidence, isBorneOut, namesOfDates } from "./date-evidence.ts";
import { namesOf, speakerNames } from "./names.ts";
import { type NumberEvidence, numberEvidence, statedNumbers } from "./numbers.ts";
import { contentWords, indexWords, type WordIndex } from "./words.ts";
import { type PartialDate, type WrittenDate, writtenDates } from "./written-dates.ts";

/** The part of a fact that its message does not bear out. */
export type Ungrounded = "dates" | "numbers" | "names" | "words";

/** How many messages around a message may name what its pronouns stand for. */
const MESSAGES_BEFORE = 6;
const MESSAGES_AFTER = 2;

/** Scripts whose words can't be told apart without a dictionary. */
const UNSPACED_SCRIPT =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** What a message gives that a fact may say. */
interface Evidence {
  readonly dates: readonly PartialDate[];
  readonly namesOfDates: ReadonlySet<string>;
  readonly numbers: NumberEvidence;
  /** What the assistant asked just before. */
  readonly question: string;
  /** Where a name may come from: also the messages around it, and the speaker's own. */
  readonly near: readonly WordIndex[];
}

/**
 * Checks facts against the message that they are quoted from, without a model.
 * Every date, number and name of a fact must occur in the message, once relative
 * dates are computed from the time of the conversation, pronouns stand for what
 * the messages around name, and "I" is the speaker, who may have given a name
 * anywhere. A fact with neither date nor number must share a word with its quote.
 * What the assistant said right before counts as what the user answers to: its
 * questions for everything, the rest for names.
 *
 * A name is a word with a capital, so scripts without them are held to dates and
 * numbers only.
 */
export function createGroundingCheck({
  messages,
  at,
}: Conversation): (fact: string, messageIndex: number, quote: string) => Ungrounded | null {
  const wordsOfMessage = memoized((i) => indexWords(contentOf(messages, i)));
  const speaker = indexWords(
    messages.map(({ role, content }) => (role === "user" ? speakerNames(content) : "")).join("\n"),
  );
  const evidenceOf = memoized((index): Evidence => {
    const answered = answeredMessage(messages, index);
    const question = answered === null ? "" : questionsIn(contentOf(messages, answered));
    const said = `${contentOf(messages, index)}\n${question}`;
    const dates = dateEvidence(said, at);
    const around = messages.flatMap(({ role }, i) => {
      const isAround = i >= index - MESSAGES_BEFORE && i <= index + MESSAGES_AFTER;
      return i === answered || (role === "user" && isAround) ? [wordsOfMessage(i)] : [];
    });
    return {
      dates,
      namesOfDates: namesOfDates(dates),
      numbers: numberEvidence(
        said,
        dates.flatMap(({ year }) => year ?? []),
      ),
      question,
      near: [indexWords(said), speaker, ...around],
    };
  });
  return (fact, messageIndex, quote) => ungrounded(fact, quote, evidenceOf(messageIndex), at);
}

/** "…" and "..." stand for words left out of a quote. */
const ELLIPSIS = /…|\.{3,}/u;

/** Returns the index of the quoted message. `named`: the index that the model gave; null: none. */
export type FindQuoted = (quote: string, named: number | null) => number | null;

/**
 * Finds the message of a user that a quote was taken from: the named one when it
 * holds the quote, else the first that does. It ignores case, blanks and
 * punctuation. Returns null when no user said so.
 */
export function createQuoteFinder(messages: readonly ChatMessage[]): FindQuoted {
  const saidIn = memoized((index) => {
    const message = messages[index];
    return message?.role === "user" ? lettersOf(message.content) : "";
  });
  return (quote, named) => {
    const pieces = quote
      .split(ELLIPSIS)
      .map(lettersOf)
      .filter((piece) => piece !== "");
    if (pieces.length === 0) return null;
    if (named !== null && holdsInOrder(saidIn(named), pieces)) return named;
    const found = messages.findIndex((_, index) => holdsInOrder(saidIn(index), pieces));
    return found < 0 ? null : found;
  };
}

function ungrounded(
  fact: string,
  quote: string,
  evidence: Evidence,
  at: Conversation["at"],
): Ungrounded | null {
  const folded = fold(fact);
  const dates = writtenDates(folded);
  const isKnown = ({ readings }: WrittenDate) =>
    readings.some((date) => isBorneOut(date, evidence.dates, at));
  if (!dates.every(isKnown)) return "dates";
  const numbers = statedNumbers(blankOut(folded, dates));
  if (!numbers.every(evidence.numbers.has)) return "numbers";
  const isNamed = (name: string) =>
    evidence.namesOfDates.has(fold(name)) || evidence.near.some((words) => words.has(name));
  if (!namesOf(fact).every(isNamed)) return "names";
  if (dates.length + numbers.length > 0 || UNSPACED_SCRIPT.test(fact)) return null;
  const quoted = indexWords(`${quote}\n${evidence.question}`);
  return contentWords(fact).some(quoted.has) ? null : "words";
}

function blankOut(text: string, places: readonly { start: number; end: number }[]): string {
  return places.reduce(
    (blanked, { start, end }) =>
      blanked.slice(0, start) + " ".repeat(end - start) + blanked.slice(end),
    text,
  );
}

function contentOf(messages: readonly ChatMessage[], index: number): string {
  const message = messages[index];
  if (message === undefined) throw new Error(`there is no message ${index}`);
  return message.content;
}

/** The index of the message that a message answers: the assistant's right before it, tools aside. null: none. */
function answeredMessage(messages: readonly ChatMessage[], index: number): number | null {
  for (let i = index - 1; i >= 0; i--) {
    const role = messages[i]?.role;
    if (role === "assistant") return i;
    if (role === "user") return null;
  }
  return null;
}

/** What the assistant asked just before; a user who answers "yes" says it too. */
function questionsIn(text: string): string {
  return sentencesOf(text)
    .flatMap((sentence) => (sentence.isQuestion ? sentence.text : []))
    .join("\n");
}

function holdsInOrder(text: string, pieces: readonly string[]): boolean {
  let from = 0;
  for (const piece of pieces) {
    const at = text.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return true;
}

function lettersOf(text: string): string {
  return fold(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

/** The function, with each of its values computed once. */
function memoized<T>(make: (index: number) => T): (index: number) => T {
  const made = new Map<number, T>();
  return (index) => {
    const known = made.get(index);
    if (known !== undefined) return known;
    const value = make(index);
    made.set(index, value);
    return value;
  };
}
