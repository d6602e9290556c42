import { type Marker, readMarkers, withoutBlanksAtEnd } from "./citation-markers.ts";
import { sentenceEnds } from "./sentence-ends.ts";

/** An answer whose markers were checked (D12). */
export interface CitedAnswer {
  /** The text without markers. */
  readonly answer: string;
  /** The text with markers `[mem-N]`, N the position in `cited`, from 1. */
  readonly answerWithCitations: string;
  /** Numbers of the memories as they were offered, in order of first mention. */
  readonly cited: readonly number[];
  /** Whether every sentence has a marker, or it says that there is no answer (D12a). */
  readonly grounded: boolean;
}

/**
 * Checks the markers of a model's answer against the memories it was offered,
 * which are numbered from 1 to `offered`. A marker that names none of them is
 * removed; the others are numbered anew in order of first mention (D12).
 */
export function citeAnswer(text: string, offered: number): CitedAnswer {
  const cited: number[] = [];
  const numberOf = (number: number) => {
    const known = cited.indexOf(number);
    return known >= 0 ? known + 1 : cited.push(number);
  };
  let answer = "";
  let answerWithCitations = "";
  /** The places in `answer` that have a marker. */
  const marked: number[] = [];
  readMarkers(text, offered).forEach((part, i, parts) => {
    if (typeof part === "string") {
      const next = parts[i + 1];
      answer += typeof next === "object" ? withoutBlanksAtEnd(part) : part;
      answerWithCitations += isRemoved(next) ? withoutBlanksAtEnd(part) : part;
    } else if (part.numbers.length > 0) {
      marked.push(answer.length);
      answerWithCitations += part.numbers.map((number) => `[mem-${numberOf(number)}]`).join("");
    }
  });
  return {
    answer: answer.trim(),
    answerWithCitations: answerWithCitations.trim(),
    cited,
    grounded: hasMarkerInEachSentence(answer, marked),
  };
}

function isRemoved(part: string | Marker | undefined): boolean {
  return typeof part === "object" && part.numbers.length === 0;
}

/** What the service says itself, from no memory. */
export function uncited(text: string): CitedAnswer {
  return { answer: text, answerWithCitations: text, cited: [], grounded: true };
}

/** Words of a memory, or about it. */
export interface Quote {
  readonly text: string;
  /** Of the memory. */
  readonly number: number;
}

/** An answer of nothing but quotes, a memory's marker behind each. */
export function citeQuotes(quotes: readonly Quote[]): CitedAnswer {
  const cited = [...new Set(quotes.map(({ number }) => number))];
  const texts = quotes.map(({ text, number }) => ({ text: unmarked(text), number }));
  return {
    answer: texts.map(({ text }) => text).join(" "),
    answerWithCitations: texts
      .map(({ text, number }) => `${text} [mem-${cited.indexOf(number) + 1}]`)
      .join(" "),
    cited,
    grounded: true,
  };
}

/** What clients read as a marker, and what is near to it. */
const MARKER = /\[\s*mem-\d+(?:\s*[,;]\s*(?:mem-)?\d+)*\s*\]/gi;

/**
 * Text that is quoted, without the brackets of its markers: it must not cite. Taking
 * brackets off can leave a marker behind, as in `[[mem-1]]`, so it goes on until
 * nothing changes.
 */
function unmarked(text: string): string {
  let previous: string;
  let current = text;
  do {
    previous = current;
    current = previous.replace(MARKER, (marker) => marker.slice(1, -1));
  } while (current !== previous);
  return current;
}

/** What may stand between the end of a sentence and its marker. */
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
