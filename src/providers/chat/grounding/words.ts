import { fold, isStopWord, stemOf, wordsOf } from "@agent-memory/text";

/** One word may have an ending up to this length that the other has not: "Katze" and "Katzen". */
const MAX_ENDING_CHARACTERS = 2;
const MIN_STEM_CHARACTERS = 4;

/** The words of a text, to look up others in. */
export interface WordIndex {
  /** Whether the text has the word, in this form or another: inflected, or with a possessive "s". */
  has(word: string): boolean;
}

export function indexWords(text: string): WordIndex {
  const words = new Set(foldedWords(text).flatMap((word) => [word, withoutElision(word)]));
  const shortened = new Set<string>();
  for (const word of words) {
    shortened.add(stemOf(word));
    for (const beginning of beginningsOf(word)) shortened.add(beginning);
  }
  return {
    has(word) {
      const folded = withoutPossessive(fold(word));
      return (
        words.has(folded) ||
        shortened.has(folded) ||
        shortened.has(stemOf(folded)) ||
        beginningsOf(folded).some((beginning) => words.has(beginning))
      );
    },
  };
}

/** The words that a text is about, folded: without those that every text has. */
export function contentWords(text: string): string[] {
  return foldedWords(text).filter((word) => !isStopWord(word));
}

/** The words of a text, folded, in order. */
export function foldedWords(text: string): string[] {
  return wordsOf(text).map((word) => withoutPossessive(fold(word)));
}

/** "L'utilisateur", "O'Brien": the word behind a short one that leans on it. */
export function withoutElision(word: string): string {
  return word.replace(/^\p{L}{1,2}'(?=\p{L}{2})/u, "");
}

function withoutPossessive(foldedWord: string): string {
  return foldedWord.replace(/'s?$/u, "");
}

function beginningsOf(word: string): string[] {
  const beginnings: string[] = [];
  for (let cut = 1; cut <= MAX_ENDING_CHARACTERS; cut++) {
    if (word.length - cut >= MIN_STEM_CHARACTERS) beginnings.push(word.slice(0, -cut));
  }
  return beginnings;
}
