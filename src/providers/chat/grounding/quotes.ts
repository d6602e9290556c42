import { type LetterSpan, spanOf } from "./letters.ts";

/** Letters that are looked through for quotes in messages that the model did not name. */
const MAX_SEARCHED_LETTERS = 32 * 1024 * 1024;

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
  let searched = 0;
  const find = (quote: string, messageIndex: number): FoundQuote | null => {
    const span = spanOf(quote, letters[messageIndex] ?? "");
    return span && { ...span, messageIndex };
  };
  return (quote, named) => {
    const there = named === null ? null : find(quote, named);
    if (there !== null) return there;
    for (const [messageIndex, { length }] of letters.entries()) {
      searched += length;
      if (searched > MAX_SEARCHED_LETTERS) return null;
      const elsewhere = find(quote, messageIndex);
      if (elsewhere !== null) return elsewhere;
    }
    return null;
  };
}
