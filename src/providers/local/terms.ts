import { isCommonWord, isStopWord } from "../text/stop-words.ts";
import { fold, stemOf, wordsOf } from "../text/text.ts";
import { CONCEPT_OF_KIND, MEMBERS, SYNONYMS } from "./lexicon/concepts.ts";

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
const CONCEPT_OF_WORD = conceptOfWord();
const KINDS_OF_STEM = kindsOfStem();

const NONE: readonly string[] = [];

export function termsOf(text: string): Term[] {
  return wordsOf(text).map(termOf);
}

function termOf(word: string): Term {
  const folded = fold(word);
  const stem = stemOf(folded);
  const kinds = KINDS_OF_STEM.get(stem) ?? NONE;
  return {
    word,
    folded,
    stem,
    concept: CONCEPT_OF_WORD.get(folded) ?? CONCEPT_OF_WORD.get(stem) ?? null,
    kinds,
    implied: kinds.flatMap((kind) => (CONCEPT_OF_KIND[kind] ?? kind).split(" ")),
    isStop: isStopWord(folded),
    isCommon: isCommonWord(folded),
  };
}

function conceptOfWord(): Map<string, string> {
  const concepts = new Map<string, string>();
  for (const [concept, words] of Object.entries(SYNONYMS)) {
    for (const word of words.split(/\s+/u)) {
      const isExact = word.startsWith("=");
      concepts.set(isExact ? fold(word.slice(1)) : stemOf(fold(word)), concept);
    }
  }
  return concepts;
}

function kindsOfStem(): Map<string, string[]> {
  const kindsOf = new Map<string, string[]>();
  for (const [kind, words] of Object.entries(MEMBERS)) {
    for (const word of words.trim().split(/\s+/u)) {
      const stem = stemOf(fold(word));
      const kinds = kindsOf.get(stem) ?? [];
      if (!kinds.includes(kind)) kindsOf.set(stem, [...kinds, kind]);
    }
  }
  return kindsOf;
}
