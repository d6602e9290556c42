import { baseOfVerb, fold, isCommonWord, isStopWord, stemOf, wordsOf } from "@agent-memory/text";
import { KINDS, SYNONYMS } from "./lexicon.ts";

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

const KEPT = { readings: 2_000, characters: 400 };
/** A reading that is kept of the last short texts: facts that are told together share candidates. */
export function remembered<Reading>(read: (text: string) => Reading): (text: string) => Reading {
  const kept = new Map<string, Reading>();
  return (text) => {
    const reading = kept.get(text) ?? read(text);
    if (kept.size >= KEPT.readings) kept.clear();
    if (text.length <= KEPT.characters) kept.set(text, reading);
    return reading;
  };
}

/** Each is an object of its own. */
export function termsOf(text: string): Term[] {
  return wordsOf(text).map((word) => ({ ...termOf(word) }));
}

const termOf = remembered((word): Term => {
  const folded = fold(word);
  const stem = stemOf(folded);
  const headings = HEADINGS_OF_STEM.get(stem) ?? [];
  return {
    word,
    folded,
    stem,
    concept: CONCEPT_OF_WORD.get(folded) ?? CONCEPT_OF_WORD.get(stem) ?? null,
    kinds: headings.map(({ kind }) => kind),
    implied: headings.flatMap(({ implied }) => implied),
    isStop: isStopWord(folded),
    isCommon: isCommonWord(folded),
  };
});

/** The speaker, however a question or a fact names them. */
export const SPEAKER_WORDS: ReadonlySet<string> = new Set(
  "i me my mine myself i'm i've i'd i'll user user's users".split(" "),
);

/** The words of a text that say something. */
export const contentOf = remembered((text): readonly Term[] =>
  termsOf(text).filter(({ isStop, folded }) => !isStop && !NEITHER.test(folded)),
);

const NEITHER = /^(?:user|user's|going|doing|having|old|new|whole|entire|go|habit|last|week)$/u;

/** By which two words of content are the same: "left" and "leaves", "driver" and "driving". */
export function keyOf({ folded }: Term): string {
  return keyOfWord(folded);
}

const keyOfWord = remembered((folded) => {
  if (/^(?:love|enjoy|adore)s?$/u.test(folded)) return "like";
  const bases = [folded, folded.replace(/e?rs?$/u, ""), folded.replace(/rs?$/u, "")].map(
    baseOfVerb,
  );
  return stemOf(bases.find((base) => base !== undefined) ?? stemOf(folded));
});

/** Whether every word of a text that says something is in another one. */
export function isNamedIn(text: string, said: string): boolean {
  const wanted = contentOf(text);
  const known = new Set(contentOf(said).map(keyOf));
  return wanted.length > 0 && wanted.every((term) => known.has(keyOf(term)));
}
