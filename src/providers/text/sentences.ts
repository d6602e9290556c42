import { straightenApostrophes } from "../../domain/folding.ts";

/** A sentence of a message, in one line, without its closing full stop. */
export interface Sentence {
  readonly text: string;
  readonly isQuestion: boolean;
}

/** What is longer is no single fact: a pasted log, minified code, a run without punctuation. */
const MAX_SENTENCE_CHARACTERS = 600;

const ENDINGS = /[.!?…。！？]+/gu;
const BULLET = /^\s*(?:[-*•‣]|\d{1,3}[.)])\s+/u;
const ABBREVIATION =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|e\.g|i\.e|approx|no|inc|ltd|co|corp|dept|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|\p{Lu}|a\.m|p\.m|u\.s|u\.k)$/iu;
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
  for (const match of line.matchAll(ENDINGS)) {
    const end = match.index + match[0].length;
    const isWide = /[。！？]/u.test(match[0]);
    const isInsideWord = !isWide && end < line.length && !/[\s"')\]]/u.test(line[end] ?? "");
    const before = line.slice(Math.max(start, match.index - 12), match.index);
    if (isInsideWord || (match[0] === "." && ABBREVIATION.test(before) && end < line.length))
      continue;
    sentences.push(
      sentenceOf(line.slice(start, match.index), match[0].includes("?") || match[0].includes("？")),
    );
    start = end;
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
