import { sparseParameter, vectorParameter } from "./column-values.ts";
import type { MemorySearch } from "./search-scope.ts";

/** The sum of so many powers of two is exact in single precision. */
export const TERMS_A_SIGNATURE = 24;
const MAX_SIGNATURES = 2;
/** Of a question, when it is searched for. */
export const MAX_QUESTION_TERMS = TERMS_A_SIGNATURE * MAX_SIGNATURES;

/**
 * A statement has places for so many terms, some of which stay empty: with a text for each
 * number of terms, a connection would prepare too many.
 */
const TERM_PLACES = [4, 8, 12, 16, 24, MAX_QUESTION_TERMS];

/** How many terms a statement for a question of so many has places for. */
export function placesFor(terms: number): number {
  return TERM_PLACES.find((most) => terms <= most) ?? MAX_QUESTION_TERMS;
}

/** What a statement is told of the question. */
export interface QuestionValues {
  readonly vector: Buffer;
  /** Two parts of its terms; the second one is of no use where the places are few. */
  readonly signature0: Buffer;
  readonly signature1: Buffer;
  readonly terms: number;
  readonly limit: number;
}

const NO_TERMS = sparseParameter([]);

/** Of a question of at most MAX_QUESTION_TERMS terms. */
export function questionValues({ vector, terms, limit }: MemorySearch): QuestionValues {
  const [first, second] = signatureQueries(terms, placesFor(terms.length)).map(sparseParameter);
  return {
    vector: vectorParameter(vector.vector),
    signature0: first ?? NO_TERMS,
    signature1: second ?? NO_TERMS,
    terms: terms.length,
    limit,
  };
}

/** For each signature the term of each bit, as elements of a sparse vector. */
export function signatureQueries(
  terms: readonly number[],
  places: number,
): (readonly [number, number])[][] {
  const queries: (readonly [number, number])[][] = [];
  for (let start = 0; start < places; start += TERMS_A_SIGNATURE) {
    const part = terms.slice(start, start + TERMS_A_SIGNATURE);
    queries.push(part.map((number, bit) => [number, 2 ** bit] as const).sort(([a], [b]) => a - b));
  }
  return queries;
}

/** Whether a row with the bits of each signature has the term of this position: 1 or 0. */
export function bitOf(term: number): string {
  return `((bits${Math.floor(term / TERMS_A_SIGNATURE)} >> ${term % TERMS_A_SIGNATURE}) & 1)`;
}
