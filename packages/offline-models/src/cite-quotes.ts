import type { CitedAnswer } from "./models.ts";

/** An answer of nothing but quotes of memories or words about them, the memory's marker behind each. */
export function citeQuotes(
  quotes: readonly { readonly text: string; readonly number: number }[],
  answerKind: "stated" | "closest",
): CitedAnswer {
  const cited = [...new Set(quotes.map(({ number }) => number))];
  const texts = quotes.map(({ text }) => unmarked(text));
  const marked = quotes.map(({ number }, i) => `${texts[i]} [mem-${cited.indexOf(number) + 1}]`);
  return {
    answer: texts.join(" "),
    answerWithCitations: marked.join(" "),
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
  const bare = text.replace(MARKER, (marker) => marker.slice(1, -1));
  return bare === text ? text : unmarked(bare);
}
