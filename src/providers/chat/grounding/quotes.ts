import { type LetterSpan, spanOf } from "./letters.ts";

/**
 * Letters of a conversation that are looked through for quotes: many times those of the
 * largest. What it then says of a quote is that it is not there.
 */
const MAX_SEARCHED_LETTERS = 64 * 1024 * 1024;

/** A quote in a message. */
export interface FoundQuote extends LetterSpan {
  readonly messageIndex: number;
}

/** `named`: the message that the model gave; null: none. */
export type FindQuoted = (quote: string, named: number | null) => FoundQuote | null;

/**
 * Finds the message of a user that a quote was taken from: the named one when it holds the
 * quote, else the first that does. It ignores case, blanks and punctuation. Returns null
 * when no user said so.
 *
 * `letters` are those of each message, "" where it is no user's.
 */
export function createQuoteFinder(letters: readonly string[]): FindQuoted {
  let left = MAX_SEARCHED_LETTERS;
  /** Behind the last quote of each message: models quote in the order of the text. */
  const ends = new Map<number, number>();
  return (quote, named) => {
    const there = named === null ? null : find(quote, named);
    if (there !== null) return there;
    for (const messageIndex of letters.keys()) {
      const elsewhere = find(quote, messageIndex);
      if (elsewhere !== null) return elsewhere;
    }
    return null;
  };

  function find(quote: string, messageIndex: number): FoundQuote | null {
    const text = letters[messageIndex] ?? "";
    const end = ends.get(messageIndex) ?? 0;
    for (const from of end === 0 ? [0] : [end, 0]) {
      if (left <= 0) return null;
      const span = spanOf(quote, text, from);
      left -= (span?.end ?? text.length) - from;
      if (span === null) continue;
      ends.set(messageIndex, span.end);
      return { ...span, messageIndex };
    }
    return null;
  }
}
