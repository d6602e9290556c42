import { fold } from "@agent-memory/text";
import { giveWay } from "../../../concurrency/loop-turns.ts";

/** Texts are read in pieces of this length, so that other requests go on between them. */
const PIECE_CHARACTERS = 1_024;
const PIECES_AT_ONCE = 16;
/** A piece ends behind a blank where one is so near to its end. */
const MAX_WORD_CHARACTERS = 128;

export interface TextPiece {
  readonly text: string;
  readonly start: number;
}

/** The letters and digits of a text, folded: what a quote is compared with. */
export function lettersOf(text: string): string {
  return fold(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

/** The text in pieces that end between words, if it has any. */
export function* piecesOf(text: string): Generator<TextPiece> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + PIECE_CHARACTERS);
    if (end < text.length) {
      const blank = text.lastIndexOf(" ", end) + 1;
      if (blank > end - MAX_WORD_CHARACTERS) end = blank;
      // Not between the two halves of one character.
      else if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end -= 1;
    }
    yield { text: text.slice(start, end), start };
    start = end;
  }
}

interface LetteredPiece extends TextPiece {
  /** Where it begins among the letters. */
  readonly letters: number;
}

export type LetteredText = Awaited<ReturnType<typeof readLetters>>;

/** Reads the letters of a text, and shows `look` each piece. Rejects with the signal's reason. */
export async function readLetters(
  text: string,
  signal: AbortSignal,
  look: (piece: TextPiece) => void,
) {
  const pieces: LetteredPiece[] = [];
  let letters = "";
  for (const piece of piecesOf(text)) {
    if (pieces.length % PIECES_AT_ONCE === PIECES_AT_ONCE - 1) await giveWay(signal);
    pieces.push({ ...piece, letters: letters.length });
    letters += lettersOf(piece.text);
    look(piece);
  }
  return { letters, placeOf };

  /** Where in the text one of its letters stands. */
  function placeOf(letter: number): number {
    const piece = pieces.findLast((each) => each.letters <= letter);
    if (piece === undefined) return 0;
    const wanted = letter - piece.letters;
    // The longest beginning that has no more letters than stand before it.
    let [low, high] = [0, piece.text.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (lettersOf(piece.text.slice(0, middle)).length <= wanted) low = middle;
      else high = middle - 1;
    }
    return piece.start + low;
  }
}

/** "…" and "..." stand for words left out of a quote. */
const ELLIPSIS = /…|\.{3,}/u;

/** From the first letter of a quote to behind the last, among the letters of a text. */
export interface LetterSpan {
  readonly start: number;
  readonly end: number;
}

/** Where a quote stands among the letters of a text behind a place, its pieces in order; null: it does not. */
export function quoteSpan(quote: string, letters: string, from = 0): LetterSpan | null {
  let start: number | null = null;
  let end = from;
  for (const piece of quote.split(ELLIPSIS)) {
    const wanted = lettersOf(piece);
    if (wanted === "") continue;
    const found = indexOf(wanted, letters, end);
    if (found < 0) return null;
    start ??= found;
    end = found + wanted.length;
  }
  return start === null ? null : { start, end };
}

/** `indexOf` in linear time (Knuth, Morris, Pratt): the platform's takes the product of lengths. */
function indexOf(wanted: string, text: string, from: number): number {
  const shorter = new Uint32Array(wanted.length);
  for (let i = 1, length = 0; i < wanted.length; i++) {
    const code = wanted.charCodeAt(i);
    while (length > 0 && code !== wanted.charCodeAt(length)) length = shorter[length - 1] ?? 0;
    if (code === wanted.charCodeAt(length)) length += 1;
    shorter[i] = length;
  }
  for (let i = from, length = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    while (length > 0 && code !== wanted.charCodeAt(length)) length = shorter[length - 1] ?? 0;
    if (code === wanted.charCodeAt(length)) length += 1;
    if (length === wanted.length) return i - length + 1;
  }
  return -1;
}

/** Letters that are looked through for quotes. A quote behind them counts as not there. */
const MAX_SEARCHED_LETTERS = 64 * 1024 * 1024;

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
      const span = quoteSpan(quote, text, from);
      left -= (span?.end ?? text.length) - from;
      if (span === null) continue;
      ends.set(messageIndex, span.end);
      return { ...span, messageIndex };
    }
    return null;
  }
}
