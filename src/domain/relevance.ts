import type { EmbeddingSpace } from "./embedding.ts";
import type { RetrievedMemory } from "./memory.ts";

/**
 * How retrieval weighs what it knows of a memory. The weights were chosen on five public
 * corpora of conversations at once: any other within reach loses on one what it wins on another.
 */

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

/** What is known of the memories that a search ranks, but for the order. */
export interface RankedScope {
  readonly memories: number;
  /** The memory with the highest score of its own, conversations left out. */
  readonly best: {
    readonly score: number;
    /** Its share of the weight of the question's terms: 0 to 1. */
    readonly covered: number;
  };
  /** The first of the order: its score has what its conversation gives. */
  readonly highestScore: number;
}

/** The logarithm of the odds that a memory answers: what each sign adds to it. */
interface Odds {
  readonly base: number;
  readonly covered: number;
  /** For each deviation that the best memory stands above the mean. */
  readonly score: number;
  /** For the logarithm of the memories: the best of many stands out by chance. */
  readonly memories: number;
  /** What it takes away for each deviation that a memory stands below the first. */
  readonly below: number;
}

/**
 * Fitted to labelled development questions, as they are and with what answers taken out. Those
 * of the offline space were fitted together with `FIT_WEIGHT` in tenants of 6 to 1,000, so that
 * at most one in six questions that nothing answers has 0.5. Those of others were fitted with
 * a weak and a strong simulated embedder, in tenants of 10, 100 and 1,000.
 */
const OFFLINE: Odds = { base: -0.95, covered: 1.7, score: 0, memories: -0.28, below: 0.7 };
const OTHERS: Odds = { base: 0.3, covered: 1.2, score: 0.9, memories: -0.92, below: 1.75 };
/** The average memory's, at most: in a tenant of three the first stands little above it. */
const OF_AVERAGE = -2;
/** Of two memories that answer alike, one stands above the average by next to nothing. */
const MOST_PER_DEVIATION = 3;

/**
 * What turns the scores of one search into relevance, 0 to 1 (D12). It never decreases
 * as the score increases, so that it ranks as the score does. It means the same from
 * question to question: where no memory answers, even the first one stays low.
 */
export function relevanceIn(
  { provider }: Pick<EmbeddingSpace, "provider">,
  { memories, best, highestScore }: RankedScope,
): (score: number) => number {
  const odds = provider === "local" ? OFFLINE : OTHERS;
  const ofFirst =
    odds.base +
    odds.covered * Math.sqrt(best.covered) +
    odds.score * best.score +
    odds.memories * Math.log(memories);
  const toAverage = highestScore > 0 ? (ofFirst - OF_AVERAGE) / highestScore : 0;
  const perDeviation = Math.max(odds.below, Math.min(toAverage, MOST_PER_DEVIATION));
  return (score) => 1 / (1 + Math.exp(perDeviation * (highestScore - score) - ofFirst));
}

const LEAST_READ = 20;
/** What a fit of 1 adds to the logarithm of the odds. */
const FIT_WEIGHT = 2.4;

/** So many found memories are read at least: vectors of the offline space tell too little. */
export function leastReadIn({ provider }: Pick<EmbeddingSpace, "provider">): number {
  return provider === "local" ? LEAST_READ : 0;
}

/** Memories in the order of their relevance and their fits, which are about -2 to 1. */
export function withFits(
  memories: readonly RetrievedMemory[],
  fits: readonly number[],
): readonly RetrievedMemory[] {
  if (fits.length === 0) return memories;
  const read = memories.map((each, i) => {
    const odds = each.relevance / (1 - each.relevance);
    const withFit = odds * Math.exp(FIT_WEIGHT * (fits[i] ?? 0));
    return { ...each, relevance: 1 / (1 + 1 / withFit) };
  });
  return read.sort((a, b) => b.relevance - a.relevance);
}
