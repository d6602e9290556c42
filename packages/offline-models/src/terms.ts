import {
  baseOfVerb,
  fold,
  isCommonWord,
  isStopWord,
  remembered,
  stemOf,
  wordsOf,
} from "@agent-memory/text";
import { KINDS, SYNONYMS } from "./lexicon.ts";

/** A word of a text with what the lexicon knows of it. */
export interface Term {
  /** As written. */
  readonly word: string;
  readonly folded: string;
  /** Folded, without the ending of a possessive: "alice" of "Alice's". */
  readonly name: string;
  readonly stem: string;
  /** By which two words of content are the same: "left" and "leaves", "driver" and "driving". */
  readonly key: string;
  /** The verb of which the word is a form; undefined: it is of none that is known. */
  readonly verb: string | undefined;
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
    (words.length > 0 ? words : [concept]).map((word) => [
      word.startsWith("=") ? fold(word.slice(1)) : stemOf(fold(word)),
      concept,
    ]),
  ),
);
const HEADINGS_OF_STEM = Map.groupBy(
  [...KINDS].flatMap(([heading, words]) => {
    const [kind = "", concepts = kind] = heading.split("=");
    const stems = new Set(words.map((word) => stemOf(fold(word))));
    return [...stems].map((stem) => ({ stem, kind, implied: concepts.split(",") }));
  }),
  ({ stem }) => stem,
);

const termOf = remembered((word): Term => {
  const folded = fold(word);
  const stem = stemOf(folded);
  const headings = HEADINGS_OF_STEM.get(stem) ?? [];
  const bases = [folded, folded.replace(/e?rs?$/u, ""), folded.replace(/rs?$/u, "")].map(
    baseOfVerb,
  );
  return {
    word,
    folded,
    name: folded.replace(/'s?$/u, ""),
    stem,
    key: stemOf(bases.find(Boolean) ?? stem).replace(/^(?:love|enjoi|ador)$/u, "like"),
    verb: bases[0],
    concept: CONCEPT_OF_WORD.get(folded) ?? CONCEPT_OF_WORD.get(stem) ?? null,
    kinds: headings.map(({ kind }) => kind),
    implied: headings.flatMap(({ implied }) => implied),
    isStop: isStopWord(folded),
    isCommon: isCommonWord(folded),
  };
});

/** Each is an object of its own in its text. */
export const termsOf = remembered((text): readonly Term[] =>
  wordsOf(text).map((word) => ({ ...termOf(word) })),
);

/** The speaker, however a question or a fact names them. */
export const SPEAKER_WORDS: ReadonlySet<string> = new Set(
  "i me my mine myself i'm i've i'd i'll user user's users".split(" "),
);

/** The words of a text that say something. */
export const contentOf = remembered((text): readonly Term[] =>
  termsOf(text).filter(({ isStop, folded }) => !isStop && !NEITHER.test(folded)),
);

const NEITHER = /^(?:user|user's|going|doing|having|old|new|whole|entire|go|habit|last|week)$/u;

/** Whether every word of a text that says something is in another one. */
export function isNamedIn(text: string, said: string): boolean {
  const wanted = contentOf(text);
  const known = new Set(contentOf(said).map(({ key }) => key));
  return wanted.length > 0 && wanted.every((term) => known.has(term.key));
}

const SAME_STEM = 1;
export const SAME_CONCEPT = 0.9;
export const IMPLIES_CONCEPT = 0.85;

/** How surely a word says what an asked one does: 0 to 1. */
export function matchOf(asked: Term, term: Term): number {
  // "On call" and "called" share a stem only.
  if (asked.stem === term.stem) return asked.concept === term.concept ? SAME_STEM : 0;
  if (asked.verb !== undefined && asked.verb === term.verb) return SAME_STEM;
  if (term.isStop) return 0;
  // "Married" tells of a husband, "works" of no dentist.
  if (asked.concept === null) {
    const isOfSpouse = () => /spouse|marital/u.test(`${term.concept} ${term.kinds}`);
    return asked.implied[0] === "spouse" && isOfSpouse() ? IMPLIES_CONCEPT : 0;
  }
  if (asked.concept === term.concept) return SAME_CONCEPT;
  return term.implied.includes(asked.concept) ? IMPLIES_CONCEPT : 0;
}
