import { fold } from "@agent-memory/text";

/** A part of a sentence between commas and conjunctions. */
export interface Clause {
  readonly text: string;
  /** Folded. */
  readonly folded: string;
  /** The sentence that it is of, counted from 0. */
  readonly sentence: number;
  /** Whether its sentence ends with a question mark. */
  readonly isInQuestion: boolean;
  /** Whether it stands in quotation marks. */
  readonly isQuoted: boolean;
  /** Where its letters begin and end among the letters of the text. */
  readonly start: number;
  readonly end: number;
}

export interface ClausedText {
  readonly clauses: readonly Clause[];
  /** The letters and digits alone, folded: what is compared with a quote. */
  readonly letters: string;
}

const SENTENCE_END = /[.!?…]+(?=[\s"'”’»)\]]|$)|[。！？]+|\n+|(?=[¿¡])/u;
const CLAUSE_END =
  /[,;:](?=[\s"“„«']|$)|[、，；：—–]|\s-\s|(?<=\s)(?=(?:(?<!(?:anything|nothing|all|everything) )but|and|because|so|though|although|while|then|when|which|aber|und|weil|sondern|mais|et|parce|pero|porque|perche|mas|maar|omdat|want|ale|bo|oraz|lecz|cuando|als|toen|quando|gdy)\s)/iu;
const PIECE_END = new RegExp(`(${SENTENCE_END.source})|(${CLAUSE_END.source})`, "giu");
const QUOTATION = /["“”„«»「」『』]|((?<!\p{L})'(?=\p{L}))|((?<=[\p{L}.!?])'(?!\p{L}))/gu;
const QUESTION_MARK = /[?？]/u;

/** The text in its clauses. Takes time in proportion to the text. */
export function clausesOf(text: string): ClausedText {
  const clauses: Clause[] = [];
  let letters = "";
  let sentence = 0;
  let firstOfSentence = 0;
  const marks = quotationMarks(text);
  let nextMark = 0;
  let from = 0;
  const add = (to: number) => {
    const piece = text.slice(from, to);
    const start = letters.length;
    letters += lettersOf(piece);
    const marksBefore = nextMark;
    while ((marks[nextMark] ?? Number.POSITIVE_INFINITY) < to) nextMark++;
    if (letters.length > start) {
      clauses.push({
        text: piece.trim(),
        folded: fold(piece).trim(),
        sentence,
        isInQuestion: false,
        isQuoted: marksBefore % 2 === 1 || nextMark > marksBefore,
        start,
        end: letters.length,
      });
    }
    from = to;
  };
  const endSentence = (end: string) => {
    if (QUESTION_MARK.test(end)) {
      for (let i = firstOfSentence; i < clauses.length; i++) {
        const clause = clauses[i];
        if (clause !== undefined) clauses[i] = { ...clause, isInQuestion: true };
      }
    }
    if (clauses.length > firstOfSentence) sentence += 1;
    firstOfSentence = clauses.length;
  };
  for (const match of text.matchAll(PIECE_END)) {
    add(match.index + match[0].length);
    if (match[1] !== undefined) endSentence(match[1]);
  }
  add(text.length);
  endSentence("");
  return { clauses, letters };
}

/** Where a text has quotation marks. An apostrophe closes only what one opened: "my parents' house". */
function quotationMarks(text: string): number[] {
  let isOpen = false;
  return [...text.matchAll(QUOTATION)].flatMap(({ index, 1: opening, 2: closing }) => {
    if (closing !== undefined && !isOpen) return [];
    if (opening !== undefined || closing !== undefined) isOpen = opening !== undefined;
    return index;
  });
}

/** The letters and digits of a text, folded. */
export function lettersOf(text: string): string {
  return fold(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

/** "…" and "..." stand for words left out of a quote. */
const ELLIPSIS = /…|\.{3,}/u;

/** Where the pieces of a quote stand among the letters of a text; null: they are not all there, in order. */
export function placesOf(
  quote: string,
  letters: string,
): { readonly start: number; readonly end: number }[] | null {
  const pieces = quote
    .split(ELLIPSIS)
    .map(lettersOf)
    .filter((piece) => piece !== "");
  const places: { start: number; end: number }[] = [];
  let from = 0;
  for (const piece of pieces) {
    const start = letters.indexOf(piece, from);
    if (start < 0) return null;
    from = start + piece.length;
    places.push({ start, end: from });
  }
  return places.length === 0 ? null : places;
}

/** The clauses that a quote was taken from. */
export function quotedClauses(quote: string, text: ClausedText): Clause[] {
  const places = placesOf(quote, text.letters) ?? [];
  return text.clauses.filter((clause) =>
    places.some(({ start, end }) => start < clause.end && end > clause.start),
  );
}
