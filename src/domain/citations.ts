/** An answer whose markers were checked (D12). */
export interface CitedAnswer {
  /** The text without markers. */
  readonly answer: string;
  /** The text with markers `[mem-N]`, N the position in `cited`, from 1. */
  readonly answerWithCitations: string;
  /** Numbers of the memories as they were offered, in order of first mention. */
  readonly cited: readonly number[];
}

/** `[mem-3]`, and what models make of it: `[mem-1, mem-3]`, `[Mem-3]`, `[mem-1; 3]`. */
const MARKER = /([ \t]*)(\[\s*mem-\d+(?:\s*[,;]\s*(?:mem-)?\d+)*\s*\])/gi;

/**
 * Checks the markers of a model's answer against the memories it was offered,
 * which are numbered from 1 to `offered`. A marker that names none of them is
 * removed; the others are numbered anew in order of first mention (D12).
 */
export function citeAnswer(text: string, offered: number): CitedAnswer {
  const checked = keepMarkers(text, (number) => number >= 1 && number <= offered);
  const cited: number[] = [];
  const answerWithCitations = replaceMarkers(checked, ([number = 0]) => {
    const known = cited.indexOf(number);
    return `[mem-${known >= 0 ? known + 1 : cited.push(number)}]`;
  });
  return { answer: keepMarkers(checked, () => false), answerWithCitations, cited };
}

/**
 * Keeps the markers of some numbers, one number a marker, and removes the others.
 * Removing one can leave another behind, as in `[mem-[mem-99]1]`, so it goes on
 * until nothing changes.
 */
function keepMarkers(text: string, isKept: (number: number) => boolean): string {
  let previous: string;
  let current = text;
  do {
    previous = current;
    current = replaceMarkers(previous, (numbers) =>
      [...new Set(numbers.filter(isKept))].map((number) => `[mem-${number}]`).join(""),
    ).trim();
  } while (current !== previous);
  return current;
}

/** Replaces every marker, together with the blanks before it where nothing remains of it. */
function replaceMarkers(text: string, replacement: (numbers: number[]) => string): string {
  return text.replace(MARKER, (_, blanks: string, marker: string) => {
    const markers = replacement((marker.match(/\d+/g) ?? []).map(Number));
    return markers === "" ? "" : blanks + markers;
  });
}
