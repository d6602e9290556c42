import type { EmbeddingSpace } from "./embedding.ts";

/**
 * How retrieval weighs what it knows of a memory. The weights were chosen on public
 * corpora of long conversations.
 */

/** BM25 by presence: how soon a further term counts for less, and how much length does. */
export const BM25_K1 = 0.9;
export const BM25_B = 0.6;
/** The weights of the scores of a memory's neighbours in its conversation: next, and next but one. */
export const NEXT_WEIGHT = 0.3;
export const NEXT_BUT_ONE_WEIGHT = 0.1;
/** A deviation below this is none: what is left of adding up numbers that are alike. */
export const LEAST_DEVIATION = 1e-6;

/** The weight of words, beside that of the cosine: together they are 1. */
export function wordsWeightIn({ provider }: Pick<EmbeddingSpace, "provider">): number {
  return provider === "local" ? 0.35 : 0.25;
}
