import { fold } from "@agent-memory/text";
import { LANGUAGES, type Language } from "./languages.ts";
import { PEOPLE } from "./people-lexicon.ts";

/** The kinds of person that each word may mean, in each language: folded, "avô" and "avó" are one. */
const KINDS_OF_WORD = new Map(
  LANGUAGES.map((language, column) => {
    const kinds = new Map<string, number[]>();
    for (const [kind, line] of PEOPLE.trim().split("\n").entries()) {
      for (const word of (line.split("|")[column] ?? "").split(",").map(keyOf)) {
        if (word !== "") kinds.set(word, [...(kinds.get(word) ?? []), kind]);
      }
    }
    return [language, kinds] as const;
  }),
);

const PATTERN_OF = new Map(
  LANGUAGES.map((language) => {
    const words = [...(KINDS_OF_WORD.get(language)?.keys() ?? [])]
      .toSorted((a, b) => b.length - a.length)
      .join("|")
      .replaceAll(" ", "[ -]");
    const isUnspaced = language === "ja" || language === "zh";
    return [
      language,
      new RegExp(
        isUnspaced ? `(${words})` : String.raw`(?<![\p{L}\p{N}])(${words})s?(?![\p{L}\p{N}])`,
        "gu",
      ),
    ];
  }),
);

/** "Mother in law" is "mother-in-law". */
function keyOf(word: string): string {
  return fold(word).replaceAll("-", " ");
}

/** A person that a text speaks of, by what they are to someone; one for each meaning of the word. */
export interface Person {
  readonly kind: number;
  readonly start: number;
}

export function peopleIn(foldedText: string, language: Language): Person[] {
  const pattern = PATTERN_OF.get(language);
  if (pattern === undefined) return [];
  return [...foldedText.matchAll(pattern)].flatMap(({ 1: word = "", index }) =>
    (KINDS_OF_WORD.get(language)?.get(keyOf(word)) ?? []).map((kind) => ({ kind, start: index })),
  );
}
