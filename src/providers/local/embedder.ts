import { DEFAULT_EMBEDDING_DIMENSIONS } from "../../domain/embedding.ts";
import type { Embedder } from "../embedder.ts";
import { featuresOf } from "./features.ts";
import { hash32 } from "./hash.ts";

/**
 * A short text has some 30 features; in 768 buckets two unrelated texts then
 * differ from a cosine of 0 by 0.04 or so, a tenth of what separates a right
 * from a wrong memory. More buckets would cost storage and scan time for less
 * noise than the words themselves bring; 768 is also what the store is tuned for.
 */
const DIMENSIONS = DEFAULT_EMBEDDING_DIMENSIONS;

/** Below this the features cancelled each other out. */
const SMALLEST_LENGTH = 1e-6;

/**
 * Words, word pairs, concepts and character trigrams, hashed with a sign into
 * the vector: deterministic, offline, in any language, best in English.
 */
export function createLocalEmbedder(): Embedder {
  return {
    space: { provider: "local", model: "hashed-text-1", dimensions: DIMENSIONS },
    async embed(texts, purpose, signal) {
      return texts.map((text) => {
        signal.throwIfAborted();
        return embedText(text, purpose);
      });
    },
  };
}

function embedText(text: string, purpose: "document" | "query"): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  for (const [feature, weight] of featuresOf(text, purpose)) {
    const hash = hash32(feature);
    const bucket = hash % DIMENSIONS;
    // The top bit decides the sign, so that collisions cancel out on average.
    vector[bucket] = (vector[bucket] ?? 0) + (hash >>> 31 === 0 ? weight : -weight);
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (length < SMALLEST_LENGTH) {
    vector[0] = 1;
    return vector;
  }
  return vector.map((value) => value / length);
}
