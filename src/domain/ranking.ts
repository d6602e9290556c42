import type { EmbeddingSpace } from "./embedding.ts";

/**
 * How retrieval weighs what it knows of a memory. The weights were chosen on public
 * corpora of long conversations.
 */

/** A term that few memories have counts for more: by this power of the logarithm of its rarity. */
export const RARITY_POWER = 1.5;
/** In a text of this length a term counts for half of what it would in an empty one. */
export const HALVING_LENGTH = 100;
/** What is longer counts as a text of this length. */
export const LONGEST_LENGTH = 500;
/** The weights of each memory beside one in its conversation: next, and next but one. */
export const NEXT_WEIGHT = 0.3;
export const NEXT_BUT_ONE_WEIGHT = 0.15;
/** The weight of the best memory of its conversation. */
export const CONVERSATION_WEIGHT = 0.2;
/** A deviation below this is none: what is left of adding up numbers that are alike. */
export const LEAST_DEVIATION = 1e-6;

/** The weight of words, beside that of the cosine: together they are 1. */
export function wordsWeightIn({ provider }: Pick<EmbeddingSpace, "provider">): number {
  return provider === "local" ? 0.5 : 0.25;
}
