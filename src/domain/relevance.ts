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
  return provider === "local" ? 0.5 : 0.3;
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

/**
 * The logarithm of the odds that a memory answers: what each sign adds to it. Fitted to labelled
 * development questions, as they are and with what answers taken out, in tenants of 10 to 10,000.
 * Of questions that nothing answers at most one in five has 0.5.
 */
const ODDS = {
  base: -0.75,
  covered: 1.8,
  /** For each deviation that the best memory stands above the mean. */
  score: 0.3,
  /** For the logarithm of the memories: the best of many stands out by chance. */
  memories: -0.65,
  /** Taken away for each deviation that a memory stands below the first. */
  below: 0.8,
  /** For a fit of 1. */
  fit: 1.4,
  /** For each that a memory's fit is above the best other one's, and above 0. */
  lead: 0.9,
};
/**
 * What an embedder adds to the odds, and for the logarithm of the memories beyond some number of
 * them. An encoder tells more of many memories apart than the local embedder does.
 */
const ODDS_OF_LOCAL = { base: 0, beyond: -0.14, from: 35 };
const ODDS_OF_ENCODER = { base: -0.09, beyond: 0.11, from: 1 };
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
  const odds = provider === "local" ? ODDS_OF_LOCAL : ODDS_OF_ENCODER;
  const ofFirst =
    ODDS.base +
    odds.base +
    ODDS.covered * Math.sqrt(best.covered) +
    ODDS.score * best.score +
    ODDS.memories * Math.log(memories) +
    odds.beyond * Math.max(0, Math.log(memories / odds.from));
  const toAverage = highestScore > 0 ? (ofFirst - OF_AVERAGE) / highestScore : 0;
  const perDeviation = Math.max(ODDS.below, Math.min(toAverage, MOST_PER_DEVIATION));
  return (score) => 1 / (1 + Math.exp(perDeviation * (highestScore - score) - ofFirst));
}

/** So many found memories are read at least: vectors alone tell too little. */
export const LEAST_READ = 20;
/** The fit of a memory that no rule can read: the vectors decide. */
export const UNREAD_FIT = 0.5;

/** Memories in the order of their relevance and their fits, which are about -2 to 1. */
export function withFits(
  memories: readonly RetrievedMemory[],
  fits: readonly number[],
): readonly RetrievedMemory[] {
  const [best = 0, second = 0] = fits.toSorted((a, b) => b - a);
  const read = memories.map((each, i) => {
    const fit = fits[i] ?? 0;
    const lead = fit - Math.max(0, fit === best ? second : best);
    const odds = each.relevance / (1 - each.relevance);
    const withFit = odds * Math.exp(ODDS.fit * fit + ODDS.lead * lead);
    return { ...each, relevance: 1 / (1 + 1 / withFit) };
  });
  return read.sort((a, b) => b.relevance - a.relevance);
}
