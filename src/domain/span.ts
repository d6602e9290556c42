import { fold } from "@agent-memory/text";
import type { Memory, Span } from "./memory.ts";

/** The part of the original message that a memory was taken from (D12d); null: not known. */
export function spanOf({ span, originalMessage, decision }: Memory): Span | null {
  if (span !== undefined) return span;
  return originalMessage === decision ? { start: 0, end: codePointsIn(decision) } : null;
}

/** The length of a text in code points. */
export function codePointsIn(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** Finds quotes in a message, case, blanks and punctuation aside; undefined: it is not there. */
export type FindSpan = (quote: string) => Span | undefined;

/** Finds quotes in one message. */
export function spanFinderIn(message: string): FindSpan {
  let read: LettersOfText | null = null;
  return (quote) => {
    const wanted = quote.trim();
    if (wanted === "") return undefined;
    const at = message.indexOf(wanted);
    if (at >= 0) {
      const start = codePointsIn(message.slice(0, at));
      return { start, end: start + codePointsIn(wanted) };
    }
    read ??= lettersOf(message);
    const { letters } = lettersOf(wanted);
    const first = letters === "" ? -1 : read.letters.indexOf(letters);
    const start = read.places[first];
    const last = read.places[first + letters.length - 1];
    return start === undefined || last === undefined ? undefined : { start, end: last + 1 };
  };
}

interface LettersOfText {
  readonly letters: string;
  /** The code point of the text that each of them stands for. */
  readonly places: readonly number[];
}

function lettersOf(text: string): LettersOfText {
  let letters = "";
  const places: number[] = [];
  for (const [place, character] of [...text].entries()) {
    const folded = fold(character).replace(/[^\p{L}\p{N}]/gu, "");
    letters += folded;
    for (let i = 0; i < folded.length; i++) places.push(place);
  }
  return { letters, places };
}

/** Where each marker `[mem-N]` of an answer begins, in code points, by N. */
export function markerOffsets(answerWithCitations: string): ReadonlyMap<number, number[]> {
  const offsets = new Map<number, number[]>();
  for (const { 1: number, index } of answerWithCitations.matchAll(/\[mem-(\d+)\]/g)) {
    const known = offsets.get(Number(number)) ?? [];
    offsets.set(Number(number), [...known, codePointsIn(answerWithCitations.slice(0, index))]);
  }
  return offsets;
}
