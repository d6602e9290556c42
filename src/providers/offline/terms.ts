import { isCommonWord, isStopWord } from "../text/stop-words.ts";
import { fold, stemOf, wordsOf } from "../text/text.ts";
import { CONCEPTS_OF_KIND, MEMBERS, SYNONYMS } from "./lexicon.ts";

/** A word of a text with what the lexicon knows of it. */
export interface Term {
  /** As written. */
  readonly word: string;
  readonly folded: string;
  readonly stem: string;
  /** The concept that the word names, or null. */
  readonly concept: string | null;
  /** The kinds of value that the word is: "Berlin" is a city. */
  readonly kinds: readonly string[];
  /** The concepts that the word implies: "Berlin" implies a place. */
  readonly implied: readonly string[];
  readonly isStop: boolean;
  readonly isCommon: boolean;
}

/** By stem, or by the word itself where only that form names the concept. */
const CONCEPT_OF_WORD = new Map(
  [...SYNONYMS].flatMap(([concept, words]) =>
    words.map((word) => [word.startsWith("=") ? fold(word.slice(1)) : stemOf(fold(word)), concept]),
  ),
);
const KINDS_OF_STEM = kindsOfStem();

export function termsOf(text: string): Term[] {
  return wordsOf(text).map(termOf);
}

function termOf(word: string): Term {
  const folded = fold(word);
  const stem = stemOf(folded);
  const kinds = KINDS_OF_STEM.get(stem) ?? [];
  return {
    word,
    folded,
    stem,
    concept: CONCEPT_OF_WORD.get(folded) ?? CONCEPT_OF_WORD.get(stem) ?? null,
    kinds,
    implied: kinds.flatMap((kind) => CONCEPTS_OF_KIND.get(kind) ?? [kind]),
    isStop: isStopWord(folded),
    isCommon: isCommonWord(folded),
  };
}

function kindsOfStem(): Map<string, string[]> {
  const kindsOf = new Map<string, string[]>();
  for (const [kind, words] of MEMBERS) {
    for (const stem of new Set(words.map((word) => stemOf(fold(word))))) {
      kindsOf.set(stem, [...(kindsOf.get(stem) ?? []), kind]);
    }
  }
  return kindsOf;
}
