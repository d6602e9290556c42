import type { EmbeddingSpace } from "./embedding.ts";
import { wordsWeightIn } from "./ranking.ts";

/** How much a memory has to do with a question, by signs that do not depend on other memories. */
export interface Signs {
  /** The cosine of its vector to the question's. */
  readonly cosine: number;
  /** Its share of the weight of the question's terms: 0 to 1. */
  readonly covered: number;
}

/** The statistics of the memories that a search ranks. */
export interface RankedScope {
  readonly memories: number;
  /** The mean of all their cosines. A score of 0 is the average memory's. */
  readonly mean: number;
  readonly deviation: number;
  /** The signs of the memory with the highest score, conversations left out. */
  readonly best: Signs & { readonly score: number };
}

/** Cosines of texts that have nothing to do with each other, in one embedding space. */
interface Noise {
  readonly mean: number;
  readonly deviation: number;
  /** The memories of a scope must be many more than these to tell it better. */
  readonly weight: number;
}

/** The noise of the offline embedder, measured. */
const OFFLINE_NOISE: Noise = { mean: 0.06, deviation: 0.086, weight: 1_000_000 };
/** The noise of any other embedder: a first guess, which the memories soon correct. */
const UNKNOWN_NOISE: Noise = { mean: 0.3, deviation: 0.06, weight: 30 };

/**
 * The logarithm of the odds that a memory answers: fitted to the labelled development
 * questions (`npm run quality -- --only relevance`).
 */
const BASE = -4.5;
const PER_DEVIATION = 1.25;
const PER_COVERED = 5;
const PER_SCORE = 1.5;
/** No signs say more: what stands beside words that repeat the question would rise with them. */
const MOST = 5;
/** The best score where no memory answers, to the largest of as many numbers that are drawn. */
const BY_CHANCE = 0.55;

/**
 * What turns the scores of one search into relevance, 0 to 1 (D12). It never decreases
 * as the score increases, so that it ranks as the score does, and means the same from
 * question to question: it is fixed at two scores, that of a memory which is as near as any
 * text and the best one's, by what is known of each apart from all others, and by how far
 * the best stands out from so many. The best of a bad lot stays bad.
 */
export function relevanceIn(
  space: Pick<EmbeddingSpace, "provider">,
  { memories, mean, deviation, best }: RankedScope,
): (score: number) => number {
  const noise = noiseOf(space, memories, mean, deviation);
  const byChance = BY_CHANCE * Math.sqrt(2 * Math.log(memories));
  const ofNoise = BASE - PER_SCORE * byChance;
  const ofBest = Math.min(MOST, logOdds(best, noise) + PER_SCORE * (best.score - byChance));
  const perCosine = deviation > 0 ? (1 - wordsWeightIn(space)) / deviation : 0;
  const noiseScore = Math.min(0, (noise.mean - mean) * perCosine);
  if (!(best.score > noiseScore)) return () => probability(ofBest);
  const slope = Math.max(0, ofBest - ofNoise) / (best.score - noiseScore);
  return (score) => probability(ofBest + slope * (score - best.score));
}

function noiseOf(
  { provider }: Pick<EmbeddingSpace, "provider">,
  memories: number,
  mean: number,
  deviation: number,
): Pick<Noise, "mean" | "deviation"> {
  const known = provider === "local" ? OFFLINE_NOISE : UNKNOWN_NOISE;
  const share = memories / (memories + known.weight);
  const variance = known.deviation ** 2 * (1 - share) + deviation ** 2 * share;
  return { mean: known.mean * (1 - share) + mean * share, deviation: Math.sqrt(variance) };
}

function logOdds({ cosine, covered }: Signs, noise: Pick<Noise, "mean" | "deviation">): number {
  const deviations = (cosine - noise.mean) / noise.deviation;
  return BASE + PER_DEVIATION * deviations + PER_COVERED * Math.sqrt(covered);
}

function probability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
