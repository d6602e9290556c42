import { sentenceEnds } from "@agent-memory/text";
import { type Marker, markersIn, matchEnd, withoutBlanksAtEnd } from "./citation-markers.ts";
import { codePointsIn } from "./memory.ts";

/** Whether memories state the answer, it is only the closest that there is, or nothing answers (D12b). */
export type AnswerKind = "stated" | "closest" | "none";

/** An answer whose markers were checked (D12). */
export interface CitedAnswer {
  /** The text without markers. */
  readonly answer: string;
  /** The text with markers `[mem-N]`, N the position in `cited`, from 1. */
  readonly answerWithCitations: string;
  /** Numbers of the memories as they were offered, in order of first mention. */
  readonly cited: readonly number[];
  /** Whether every sentence has a marker, or it says that there is no answer (D12a); false for the closest. */
  readonly grounded: boolean;
  readonly answerKind: AnswerKind;
}

/**
 * Checks an answer's markers against the memories it was `offered`, from 1. One that names none is
 * removed; the others are numbered in order of first mention (D12). What `isCutOff` ends at its
 * last cited sentence, or at what was `shown`; where neither is, nothing of it counts as cited.
 */
export function citeText(
  text: string,
  offered: number,
  { isCutOff = false, shown = "" } = {},
): CitedAnswer {
  const read = readParts(markersIn(text.replace(BROKEN_OFF, ""), offered, true));
  const { answer, cited } = read;
  const withCitations = read.withCitations.trimStart();
  const sentences = sentencesIn(withCitations);
  if (isCutOff) {
    const whole = sentences.filter(({ isWhole }) => isWhole);
    const last = whole.findLast(({ isMarked }) => isMarked);
    if (!last && shown === "") return citeText(withCitations.slice(0, whole.at(-1)?.end), 0);
    const end = Math.max(last?.end ?? 0, shown.length);
    const kept = citeText(withCitations.slice(0, end), cited.length);
    return { ...kept, cited: cited.slice(0, kept.cited.length) };
  }
  return {
    answer: answer.trim(),
    answerWithCitations: withCitations.trim(),
    cited,
    grounded: sentences.every((each) => each.isMarked || !each.hasLetters),
    // A text without citations is no more than what a model says.
    answerKind: cited.length > 0 ? "stated" : "closest",
  };
}

/** A marker that the text ends in. */
const BROKEN_OFF = /[[【［(（][ \t]*#?mem(?:or(?:y|ies)|s)?[ \t_#:.‐-―−-]*[\d \t,]*$/iu;

/** What `text` begins with, citations included, and no further text can change; "": nothing yet. */
export function certainOf(text: string, offered: number): string {
  const parts = markersIn(text, offered, false);
  if (!parts.some(isCitation)) return "";
  const { answer, withCitations } = readParts(parts);
  return /[\p{L}\p{N}]/u.test(answer) ? withCitations.trim() : "";
}

function readParts(parts: readonly (string | Marker)[]) {
  // Where an answer has other markers, numbers behind letters are none.
  const areGluedCitations = !parts.some(isCitation) && areAllCitations(parts);
  /** Numbers as they were offered, in order of first mention. */
  const cited: number[] = [];
  let answer = "";
  let withCitations = "";
  /** At the end of both: what comes next says whether they stay. */
  let blanks = "";
  const addText = (text: string) => {
    const said = blanks + text;
    const certain = withoutBlanksAtEnd(said);
    blanks = said.slice(certain.length);
    answer += certain;
    withCitations += certain;
  };
  for (const part of parts) {
    if (typeof part === "string") addText(part);
    else if (part.glued !== null && !areGluedCitations) addText(part.text);
    else {
      if (part.numbers.length > 0) withCitations += blanks;
      for (const number of part.numbers) {
        if (!cited.includes(number)) cited.push(number);
        withCitations += `[mem-${cited.indexOf(number) + 1}]`;
      }
      blanks = "";
    }
  }
  return { answer, withCitations, cited };
}

function isCitation(part: string | Marker): boolean {
  return typeof part === "object" && part.glued === null && part.numbers.length > 0;
}

/** Whether all numbers behind letters are citations, where the answer has no others. */
function areAllCitations(parts: readonly (string | Marker)[]): boolean {
  const glued = parts.flatMap((part) => (typeof part === "object" ? (part.glued ?? []) : []));
  return glued.every(({ isOffered }) => isOffered) && glued.some(({ endsClause }) => endsClause);
}

/** An answer of the service itself, from no memory. */
export function uncited(text: string): CitedAnswer {
  return { answer: text, answerWithCitations: text, cited: [], grounded: true, answerKind: "none" };
}

const MARKER = /\[mem-(\d+)\]/gu;
/** Signs that may stand between the end of a sentence and its marker. */
const CLOSERS = /["'”’»)\]*_`\s]*/uy;
const CLOSERS_AND_MARKERS = /(?:["'”’»)\]*_`\s]|\[mem-\d+\])*/uy;

/** The sentences; their markers are in them, right behind them or at the beginning of their line. */
function sentencesIn(withCitations: string) {
  const sentences = [];
  let lineStart = 0;
  for (const line of withCitations.split(/(?<=\n)/u)) {
    const bare = line.replace(MARKER, (marker) => " ".repeat(marker.length)).trimEnd();
    const ends = sentenceEnds(bare).map(({ index, marks }) => index + marks.length);
    let start = 0;
    for (const end of [...ends, line.length]) {
      const hasMarkerInside = line.slice(start, end).search(MARKER) >= 0;
      const closed = matchEnd(CLOSERS_AND_MARKERS, line, end);
      sentences.push({
        // Behind a sentence that has a marker inside, further ones may be the next one's.
        end: lineStart + (hasMarkerInside ? matchEnd(CLOSERS, line, end) : closed),
        isMarked: line.slice(start, closed).search(MARKER) >= 0,
        hasLetters: /\p{L}/u.test(bare.slice(start, end)),
        isWhole: start < end && (end === ends.at(-1) || end < line.length || line.endsWith("\n")),
      });
      start = closed;
    }
    lineStart += line.length;
  }
  return sentences;
}

/** Where each marker `[mem-N]` of an answer begins, in code points, by N. */
export function markerOffsets(answerWithCitations: string): ReadonlyMap<number, number[]> {
  const offsets = new Map<number, number[]>();
  for (const { 1: number, index } of answerWithCitations.matchAll(MARKER)) {
    const known = offsets.get(Number(number)) ?? [];
    offsets.set(Number(number), [...known, codePointsIn(answerWithCitations.slice(0, index))]);
  }
  return offsets;
}
