import type { ChatMessage } from "../../../domain/conversation.ts";
import { memoized } from "../../memoized.ts";
import { lettersOf, placesOf } from "./clauses.ts";

/** Returns the index of the quoted message. `named`: the index that the model gave; null: none. */
export type FindQuoted = (quote: string, named: number | null) => number | null;

/**
 * Finds the message of a user that a quote was taken from: the named one when it
 * holds the quote, else the first that does. It ignores case, blanks and
 * punctuation. Returns null when no user said so.
 */
export function createQuoteFinder(
  messages: readonly Pick<ChatMessage, "role" | "content">[],
): FindQuoted {
  const lettersIn = memoized((index) => {
    const message = messages[index];
    return message?.role === "user" ? lettersOf(message.content) : "";
  });
  return (quote, named) => {
    if (named !== null && placesOf(quote, lettersIn(named)) !== null) return named;
    const found = messages.findIndex((_, index) => placesOf(quote, lettersIn(index)) !== null);
    return found < 0 ? null : found;
  };
}
