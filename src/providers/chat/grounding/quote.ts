import type { ChatMessage } from "../../../domain/chat-message.ts";
import { fold } from "../../text/text.ts";
import { memoized } from "./memoized.ts";

/** "…" and "..." stand for words left out of a quote. */
const ELLIPSIS = /…|\.{3,}/u;

/** Finds the message that a quote was taken from. */
export type FindQuoted = (quote: string, named: number | null) => number | null;

/**
 * Finds the message of a user that a quote was taken from: the one that is named
 * for it where that holds the quote, else the first that does. null: no user said
 * so. What differs in case, blanks or punctuation only is the same.
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
