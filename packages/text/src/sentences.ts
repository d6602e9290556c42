import { straightenApostrophes } from "./words.ts";

/** A sentence of a message, in one line, without its closing full stop. */
export interface Sentence {
  readonly text: string;
  readonly isQuestion: boolean;
  /** It is no single fact, and `text` only its beginning: a pasted log, minified code. */
  readonly isTooLong: boolean;
}

const MAX_SENTENCE_CHARACTERS = 600;
/** Where a longer one is divided: "… and I work …" of what was dictated. */
const NEXT_STATEMENT =
  /(?:[,;] (?:and |but |so )?| (?:and|but|so|then|because) )(?=(?:i|we|my|our)\b)/iu;

const BULLET = /^\s*(?:[-*•‣]|\d{1,3}[.)])\s+/u;
const DECORATION = /(?:\p{Extended_Pictographic}|\u{fe0f}|\u{200d})+(?=\s|$|[.!?,])/gu;
const EMOTICON = /(?:^|\s)[:;]-?[)(DPp](?=\s|$)/gu;

export function sentencesOf(message: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const line of linesOf(message)) {
    for (const sentence of splitLine(line)) {
      if (sentence.text !== "") sentences.push(sentence);
    }
  }
  return sentences;
}

/** Lines of prose: without fenced code and quoted lines; lines that go on in lower case are joined. */
function linesOf(message: string): string[] {
  const lines: string[] = [];
  let isCode = false;
  for (const raw of straightenApostrophes(message).split(/\r\n|[\n\r\u2028\u2029]/u)) {
    if (raw.trimStart().startsWith("```")) {
      isCode = !isCode;
      continue;
    }
    if (isCode || raw.trimStart().startsWith(">")) continue;
    const line = raw.replace(BULLET, "").trim();
    const previous = lines.at(-1) ?? "";
    const goesOn = /^\p{Ll}/u.test(line) && /[\p{L}\p{N},]$/u.test(previous) && !BULLET.test(raw);
    const fits = previous.length + line.length <= MAX_SENTENCE_CHARACTERS;
    if (goesOn && fits && !/^i\b/u.test(line)) lines[lines.length - 1] = `${previous} ${line}`;
    else lines.push(line);
  }
  return lines;
}

function splitLine(line: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  for (const { index, marks } of sentenceEnds(line)) {
    sentences.push(...piecesOf(line.slice(start, index), /[?？]/u.test(marks)));
    start = index + marks.length;
  }
  return [...sentences, ...piecesOf(line.slice(start), false)];
}

function piecesOf(text: string, isQuestion: boolean): Sentence[] {
  const pieces = text.length > MAX_SENTENCE_CHARACTERS ? text.split(NEXT_STATEMENT) : [text];
  return pieces.map((piece) => sentenceOf(piece, isQuestion));
}

function sentenceOf(text: string, isQuestion: boolean): Sentence {
  const isTooLong = text.length > MAX_SENTENCE_CHARACTERS;
  const clean = text
    .slice(0, MAX_SENTENCE_CHARACTERS)
    .replace(DECORATION, "")
    .replace(EMOTICON, "")
    .replace(/\s+/gu, " ")
    .replace(/^[')\]\s]+|[(\s,:;]+$/gu, "");
  return { text: clean, isQuestion, isTooLong };
}

const ENDINGS = /[.!?…。！？]+/gu;
const ABBREVIATION =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|e\.g|i\.e|approx|no|inc|ltd|co|corp|dept|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|\p{Lu}|a\.m|p\.m|u\.s|u\.k)$/iu;

/** The punctuation that ends a sentence. */
export interface SentenceEnd {
  /** The position of its first mark. */
  readonly index: number;
  readonly marks: string;
}

/** Where the sentences of one line end, but for the last, which may end without a mark. */
export function sentenceEnds(line: string): SentenceEnd[] {
  const ends: SentenceEnd[] = [];
  let start = 0;
  for (const { 0: marks, index } of line.matchAll(ENDINGS)) {
    const end = index + marks.length;
    const isWide = /[。！？]/u.test(marks);
    const isInsideWord = !isWide && end < line.length && !/[\s"')\]]/u.test(line[end] ?? "");
    const before = line.slice(Math.max(start, index - 12), index);
    if (isInsideWord || (marks === "." && ABBREVIATION.test(before) && end < line.length)) continue;
    ends.push({ index, marks });
    start = end;
  }
  return ends;
}
