import { sentenceEnds } from "@agent-memory/text";
import { type Marker, MarkerReader, withoutBlanksAtEnd } from "./citation-markers.ts";
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
 * Checks the markers of a model's answer against the memories it was offered, which are
 * numbered from 1 to `offered`. A marker that names none of them is removed; the others are
 * numbered anew in order of first mention (D12). The answer may come in pieces, cut anywhere.
 */
export class CitedText {
  readonly #markers: MarkerReader;
  /** All parts, as long as no marker says what numbers behind letters are. */
  #undecided: (string | Marker)[] | null = [];
  /** Numbers as they were offered, in order of first mention. */
  readonly #cited: number[] = [];
  #answer = "";
  /** The places in the answer that have a marker. */
  readonly #marked: number[] = [];
  /** The part of the answer with citations that was taken. */
  #taken = "";
  #untaken = "";
  /** At the end of both: what comes next says whether they stay. */
  #blanks = "";
  #saysSomething = false;

  constructor(offered: number) {
    this.#markers = new MarkerReader(offered);
  }

  push(text: string): void {
    this.#add(this.#markers.push(text));
  }

  /** Whether it cites a memory, and says something: whatever follows, it stays so. */
  get isCited(): boolean {
    return this.#cited.length > 0 && this.#saysSomething;
  }

  /**
   * What was not yet taken of the answer with citations, as far as it stays whatever
   * follows; nothing before the first citation.
   */
  take(): string {
    if (this.#taken === "") this.#untaken = this.#untaken.trimStart();
    const taken = this.#untaken.trimEnd();
    this.#taken += taken;
    this.#untaken = this.#untaken.slice(taken.length);
    return taken;
  }

  /**
   * The whole answer, now that nothing follows; where it was cut off, up to its last cited
   * sentence, but for what was taken.
   */
  end(isCutOff = false): CitedAnswer {
    this.#add(this.#markers.end());
    this.#decide(areAllCitations(this.#undecided ?? []));
    const cut = isCutOff ? this.#afterLastCitedSentence() : 0;
    const answer = this.#answer.slice(0, this.#answer.length - cut);
    const withCitations = this.#taken + this.#untaken;
    return {
      answer: answer.trim(),
      answerWithCitations: withCitations.slice(0, withCitations.length - cut).trim(),
      cited: this.#cited,
      grounded: hasMarkerInEachSentence(answer, this.#marked),
      // A text without citations is no more than what a model says.
      answerKind: this.#cited.length > 0 ? "stated" : "closest",
    };
  }

  /** The length of the text behind the last cited sentence, as far as it was not taken. */
  #afterLastCitedSentence(): number {
    const last = this.#marked.at(-1);
    if (last === undefined) return 0;
    const closing = STOPS.exec(this.#answer.slice(last))?.[0].length ?? 0;
    return Math.min(this.#answer.length - last - closing, this.#untaken.length);
  }

  #add(parts: readonly (string | Marker)[]): void {
    for (const part of parts) {
      // Where an answer has other markers, numbers behind letters are none.
      if (isCitation(part)) this.#decide(false);
      if (this.#undecided === null) this.#addPart(part, false);
      else this.#undecided.push(part);
    }
  }

  #decide(areGluedCitations: boolean): void {
    const parts = this.#undecided ?? [];
    this.#undecided = null;
    for (const part of parts) this.#addPart(part, areGluedCitations);
  }

  #addPart(part: string | Marker, isGluedCitation: boolean): void {
    if (typeof part === "string") this.#addText(part);
    else if (part.glued !== null && !isGluedCitation) this.#addText(part.text);
    else this.#addMarker(part);
  }

  #addText(text: string): void {
    const said = this.#blanks + text;
    const certain = withoutBlanksAtEnd(said);
    this.#blanks = said.slice(certain.length);
    this.#answer += certain;
    this.#untaken += certain;
    this.#saysSomething ||= /[\p{L}\p{N}]/u.test(certain);
  }

  #addMarker({ numbers }: Marker): void {
    if (numbers.length > 0) {
      this.#marked.push(this.#answer.length);
      this.#untaken += this.#blanks;
      for (const number of numbers) this.#untaken += `[mem-${this.#indexOf(number)}]`;
    }
    this.#blanks = "";
  }

  /** The N of a memory's marker. */
  #indexOf(number: number): number {
    const known = this.#cited.indexOf(number);
    return known >= 0 ? known + 1 : this.#cited.push(number);
  }
}

/** What ends a sentence behind its marker. */
const STOPS = /^[.!?…。！？]+["'”’»)\]]*/u;

/** Whether a part cites a memory, whatever else there is. */
function isCitation(part: string | Marker): boolean {
  return typeof part === "object" && part.glued === null && part.numbers.length > 0;
}

/**
 * Of an answer without other citations: whether its numbers behind letters are citations.
 * Each must name an offered memory, and one stand where citations do.
 */
function areAllCitations(parts: readonly (string | Marker)[]): boolean {
  const glued = parts.flatMap((part) => (typeof part === "object" ? (part.glued ?? []) : []));
  return glued.every(({ isOffered }) => isOffered) && glued.some(({ endsClause }) => endsClause);
}

/** An answer of the service itself, from no memory. */
export function uncited(text: string): CitedAnswer {
  return { answer: text, answerWithCitations: text, cited: [], grounded: true, answerKind: "none" };
}

/** Signs that may stand between the end of a sentence and its marker. */
const CLOSERS = /["'”’»)\]*_`\s]*/uy;

/**
 * Whether a marker stands in, or right behind, every sentence; one that begins a line
 * counts for that line too. `marked` are their places, in order.
 */
function hasMarkerInEachSentence(text: string, marked: readonly number[]): boolean {
  let next = 0;
  let lineStart = 0;
  for (const line of text.split(/(?<=\n)/u)) {
    const lineEnd = lineStart + line.length;
    const ends = sentenceEnds(line).map(({ index, marks }) => lineStart + index + marks.length);
    let start = lineStart;
    for (const end of [...ends, lineEnd]) {
      CLOSERS.lastIndex = end - lineStart;
      const closed = end + (CLOSERS.exec(line)?.[0].length ?? 0);
      const first = start === lineStart ? start : Math.min(start + 1, lineEnd);
      while ((marked[next] ?? Number.POSITIVE_INFINITY) < first) next++;
      const isMarked = (marked[next] ?? Number.POSITIVE_INFINITY) <= closed;
      if (!isMarked && /\p{L}/u.test(text.slice(start, end))) return false;
      start = closed;
    }
    lineStart = lineEnd;
  }
  return true;
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
