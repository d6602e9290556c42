import { fold, isStopWord } from "@agent-memory/text";
import {
  MONTH_OF_NAME,
  type PartialDate,
  WEEKDAY_OF_NAME,
  writtenDates,
} from "@agent-memory/text/dates";
import type { TextPiece } from "./letters.ts";

/** Numbers with what stands between their digits, and words. */
const TOKEN = /\p{N}+(?:[.,:'’]\p{N}+)*|[\p{L}\p{M}]+/gu;
/** Words with so many letters alike may be forms of one: "Sopot", "Sopocie". */
const BEGINNING_LETTERS = 4;

export interface Mention {
  readonly messageIndex: number;
  readonly offset: number;
}

interface Token {
  readonly text: string;
  readonly offset: number;
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: token, index }) => ({ text: token, offset: index }));
}

function isNumber(token: string): boolean {
  return /^\p{N}/u.test(token);
}

/** How a token is looked up, best first: "1,500" as "1500", a word with other endings. */
function keysOf(token: string): string[] {
  if (isNumber(token)) {
    const parts = token.split(/[^\p{N}]/u).map((digits) => digits.normalize("NFKC"));
    const areThousands = parts.slice(1).every(({ length }) => length === 3);
    return [...new Set([parts.join("."), ...(areThousands ? [parts.join("")] : [])])];
  }
  const word = fold(token);
  return word.length > BEGINNING_LETTERS ? [word, `${word.slice(0, BEGINNING_LETTERS)}…`] : [word];
}

/** Where each word was said first, by a user if one said it. */
export class Mentions {
  readonly #users = new Map<string, Mention>();
  readonly #others = new Map<string, Mention>();

  add({ text, start }: TextPiece, messageIndex: number, isUsers: boolean): void {
    const known = isUsers ? this.#users : this.#others;
    for (const token of tokensOf(text)) {
      for (const key of keysOf(token.text)) {
        if (!known.has(key)) known.set(key, { messageIndex, offset: start + token.offset });
      }
    }
  }

  /** null: nobody said it. */
  of(token: string): Mention | null {
    const keys = keysOf(token);
    const found = [this.#users, this.#others].flatMap((known) =>
      keys.flatMap((key) => known.get(key) ?? []),
    );
    return found[0] ?? null;
  }
}

export function hasToken(keys: ReadonlySet<string>, token: string): boolean {
  return keysOf(token).some((key) => keys.has(key));
}

export function allKeysOf(text: string): ReadonlySet<string> {
  return new Set(tokensOf(text).flatMap(({ text: token }) => keysOf(token)));
}

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
