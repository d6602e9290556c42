import type { CitedAnswer } from "./models.ts";

/** An answer of nothing but quotes of memories or words about them, the memory's marker behind each. */
export function citeQuotes(
  quotes: readonly { readonly text: string; readonly number: number }[],
  answerKind: "stated" | "closest",
): CitedAnswer {
  const cited = [...new Set(quotes.map(({ number }) => number))];
  const texts = quotes.map(({ text, number }) => ({ text: unmarked(text), number }));
  return {
    answer: texts.map(({ text }) => text).join(" "),
    answerWithCitations: texts
      .map(({ text, number }) => `${text} [mem-${cited.indexOf(number) + 1}]`)
      .join(" "),
    cited,
    grounded: answerKind === "stated",
    answerKind,
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
