/**
 * The words of a text as the search by words sees them: which terms it has, and how long it is.
 *
 * Our own rules find the terms (`providers/text/search-terms.ts`). The dictionaries of a
 * database change with its version, and stored terms would then match questions no longer.
 */
export interface SearchTerms {
  /** A number of each distinct term, from 0 below `TERM_NUMBERS`, in ascending order. */
  readonly numbers: readonly number[];
  /** The number of all terms, repeated ones too. */
  readonly length: number;
}

/** A term is stored by a number below this: the dimensions that a sparse vector may have. */
export const TERM_NUMBERS = 1_000_000_000;

/** Distinct terms of one text that are stored: a sparse vector holds no more than 16,000. */
export const MAX_TERMS = 4_000;

/**
 * Which rules find terms; stored with each embedding space. Changed rules take a higher number and
 * a migration that makes stored terms anew. A new embedding model begins with present rules.
 */
export const TERMS_VERSION = 1;
