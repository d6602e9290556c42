/**
 * What is known of a language about how its sentences are meant: patterns of folded words.
 * Alternatives stand apart by " | " or on lines of their own.
 */
export interface Lexicon {
  /** Words of almost any text, to tell the language by. */
  readonly common: string;
  readonly negation: string;
  /** What has a word of negation and denies nothing. */
  readonly affirming: string;
  /** What says "not" in one word: "quit", "dislike". */
  readonly reversal: string;
  /** What is only wanted, planned or tried, or is to come. */
  readonly wish: string;
  /** What is over. */
  readonly past: string;
  /** What depends on something, or is not certain. */
  readonly condition: string;
  /** How questions and requests begin. */
  readonly asking: string;
  /** The speaker as a subject. */
  readonly first: string;
  /** Someone else as a subject. */
  readonly other: string;
  /** What has forms of the past, in a fact. */
  readonly pastForm: string;
}

/** The alternatives of an entry of a lexicon as one pattern. */
export function alternation(entry: string): string {
  return entry
    .split(/ \| |\n/u)
    .map((alternative) => alternative.trim())
    .filter((alternative) => alternative !== "")
    .join("|");
}
