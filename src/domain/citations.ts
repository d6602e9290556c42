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
const MARKER = /\[\s*mem-\d{1,9}(?:\s*[,;]\s*(?:mem-)?\d{1,9})*\s*\]/gi;

/**
 * Checks the markers of a model's answer against the memories it was offered,
 * which are numbered from 1 to `offered`. A marker that names none of them is
 * removed; the others are numbered anew in order of first mention (D12).
 */
export function citeAnswer(text: string, offered: number): CitedAnswer {
  const cited: number[] = [];
  const answerWithCitations = replaceMarkers(text, (numbers) => {
    const indexes = numbers
      .filter((number) => number >= 1 && number <= offered)
      .map(indexOfCitation);
    return [...new Set(indexes)].map((index) => `[mem-${index}]`).join("");
  });
  const answer = replaceMarkers(text, () => "");
  return { answer, answerWithCitations, cited };

  function indexOfCitation(number: number): number {
    const known = cited.indexOf(number);
    return known >= 0 ? known + 1 : cited.push(number);
  }
}

/** Replaces every marker, together with the blanks before it where nothing remains of it. */
function replaceMarkers(text: string, replacement: (numbers: number[]) => string): string {
  const pattern = new RegExp(`([ \\t]*)(${MARKER.source})`, "gi");
  return text
    .replace(pattern, (_, blanks: string, marker: string) => {
      const numbers = marker.match(/\d+/g) ?? [];
      const markers = replacement(numbers.map(Number));
      return markers === "" ? "" : blanks + markers;
    })
    .trim();
}
