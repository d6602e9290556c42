import { fold, isStopWord } from "@agent-memory/text";
import {
  MONTH_OF_NAME,
  type PartialDate,
  WEEKDAY_OF_NAME,
  writtenDates,
} from "@agent-memory/text/dates";
import { isNumber, tokensOf } from "./mentions.ts";

/** What of a fact must have a source in the conversation. */
export interface Anchor {
  /** As the fact has it. */
  readonly text: string;
  readonly kind: "dates" | "numbers" | "names";
  /** Of a date, in each way that it can be read. */
  readonly readings: readonly PartialDate[];
  /** Whether it may have its capital because a sentence begins, or be "the user". */
  readonly isFirst: boolean;
}

/** So many words at the beginning of a fact may be "the user", in languages that write it with a capital. */
const WORDS_OF_THE_USER = 2;
const YEAR = /^(?:1[89]|20|21)\d\d$/u;

/** The dates, the numbers and the words with a capital of a fact. */
export function anchorsOf(fact: string): Anchor[] {
  const folded = fold(fact);
  const dates = writtenDates(folded);
  const withoutDates = dates.reduce(
    (text, { start, end }) => text.slice(0, start) + " ".repeat(end - start) + text.slice(end),
    folded,
  );
  const numbers = tokensOf(withoutDates).filter(({ text }) => isNumber(text));
  return [
    ...dates.map(({ start, end, readings }) => dateAnchor(folded.slice(start, end), readings)),
    ...numbers.map(({ text }) =>
      YEAR.test(text) ? dateAnchor(text, [{ year: Number(text) }]) : anchor(text, "numbers"),
    ),
    ...tokensOf(fact).flatMap(({ text }, place) => nameAnchors(text, place, withoutDates)),
  ];
}

function nameAnchors(word: string, place: number, withoutDates: string): Anchor[] {
  const folded = fold(word);
  if (!/^\p{Lu}/u.test(word) || isStopWord(folded) || WEEKDAY_OF_NAME.has(folded)) return [];
  const month = MONTH_OF_NAME.get(folded);
  if (month === undefined)
    return [{ ...anchor(word, "names"), isFirst: place < WORDS_OF_THE_USER }];
  // A month of a whole date was read with it.
  return withoutDates.includes(folded) ? [dateAnchor(word, [{ month }])] : [];
}

function dateAnchor(text: string, readings: readonly PartialDate[]): Anchor {
  return { ...anchor(text, "dates"), readings };
}

function anchor(text: string, kind: Anchor["kind"]): Anchor {
  return { text, kind, readings: [], isFirst: false };
}
