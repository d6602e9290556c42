/**
 * When an extracted fact counts as the expected one: the token F1 of their
 * normalised words (lower case, no punctuation, no articles) reaches
 * `MIN_TOKEN_F1`, and all that must not differ by a word is the same: names,
 * numbers, negation and whose fact it is.
 */
export const MIN_TOKEN_F1 = 0.75;

/** Parts the wordings of an expected fact that are equally right; an extracted fact need match one. */
export const OTHER_WORDING = " || ";

const NEGATIONS = new Set(["not", "no", "never"]);
const ARTICLES = new Set(["the", "a", "an"]);

/** Pairs expected with extracted facts, best match first, each used once. Returns how many matched. */
export function countMatches(expected: readonly string[], extracted: readonly string[]): number {
  const scored = expected.flatMap((fact, e) =>
    fact.split(OTHER_WORDING).flatMap((wording) =>
      extracted.map((other, x) => ({
        e,
        x,
        score: isDecisivelyDifferent(wording, other) ? 0 : tokenF1(wording, other),
      })),
    ),
  );
  scored.sort((a, b) => b.score - a.score);
  const usedExpected = new Set<number>();
  const usedExtracted = new Set<number>();
  for (const { e, x, score } of scored) {
    if (score < MIN_TOKEN_F1 || usedExpected.has(e) || usedExtracted.has(x)) continue;
    usedExpected.add(e);
    usedExtracted.add(x);
  }
  return usedExpected.size;
}

export function tokenF1(a: string, b: string): number {
  const wordsA = normalised(a);
  const left = [...normalised(b)];
  const total = wordsA.length + left.length;
  let shared = 0;
  for (const word of wordsA) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    shared += 1;
  }
  return total === 0 ? 0 : (2 * shared) / total;
}

function normalised(text: string): string[] {
  return words(text)
    .map((word) => word.toLowerCase())
    .filter((word) => !ARTICLES.has(word));
}

function isDecisivelyDifferent(a: string, b: string): boolean {
  return decisiveWords(a) !== decisiveWords(b);
}

/** Names (capitalised beyond the first word), numbers, negation, and the first words that say whose fact it is. */
function decisiveWords(text: string): string {
  const all = words(text);
  const decisive = all.filter(
    (word, i) =>
      /\p{N}/u.test(word) || (i > 0 && /^\p{Lu}/u.test(word)) || NEGATIONS.has(word.toLowerCase()),
  );
  const owner = all.slice(0, 2).join(" ").toLowerCase();
  return [owner, ...decisive.map((word) => word.toLowerCase()).sort()].join(" ");
}

function words(text: string): string[] {
  return (
    text.replace(/\bcannot\b/giu, "can not").match(/[\p{L}\p{N}]+(?:[-'.:@][\p{L}\p{N}]+)*/gu) ?? []
  );
}
