import { straightenApostrophes } from "./words.ts";

/** A sentence of a message, in one line, without its closing full stop. */
export interface Sentence {
  readonly text: string;
  readonly isQuestion: boolean;
}

/** A longer text is no single fact: a pasted log, minified code, a run without punctuation. */
const MAX_SENTENCE_CHARACTERS = 600;

const BULLET = /^\s*(?:[-*•‣]|\d{1,3}[.)])\s+/u;
const DECORATION = /(?:\p{Extended_Pictographic}|\u{fe0f}|\u{200d})+(?=\s|$|[.!?,])/gu;
const EMOTICON = /(?:^|\s)[:;]-?[)(DPp](?=\s|$)/gu;

export function sentencesOf(message: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const line of linesOf(message)) {
    for (const sentence of splitLine(line)) {
      if (sentence.text !== "" && sentence.text.length <= MAX_SENTENCE_CHARACTERS)
        sentences.push(sentence);
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
    sentences.push(sentenceOf(line.slice(start, index), /[?？]/u.test(marks)));
    start = index + marks.length;
  }
  sentences.push(sentenceOf(line.slice(start), false));
  return sentences;
}

function sentenceOf(text: string, isQuestion: boolean): Sentence {
  const clean = text
    .slice(0, MAX_SENTENCE_CHARACTERS + 1)
    .replace(DECORATION, "")
    .replace(EMOTICON, "")
    .replace(/\s+/gu, " ")
    .replace(/^[')\]\s]+|[(\s,:;]+$/gu, "");
  return { text: clean, isQuestion };
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
