import type { EmbeddingSpace } from "./embedding.ts";

/**
 * The cosine similarity from which on a memory may be about the same as a new fact, by
 * embedding model (D23): models differ in how alike they find what has nothing in
 * common. `npm run quality -- --only "candidate bar"` says what the bar of a model lets
 * pass, and finds the highest one that keeps every pair of the development set of which
 * one fact replaces the other.
 */
const BARS: ReadonlyMap<string, number> = new Map([
  // Measured: 0.14 keeps every pair of facts, and loses one in seven facts that people end in
  // words of their own, which share few words with it; 0.01 one in thirteen, and this bar none.
  ["local/hashed-text-1", -0.02],
  // Not measured here: low, since of what passes the classifier decides.
  ["gemini/gemini-embedding-001", 0.6],
  ["openai/text-embedding-3-small", 0.3],
  ["openai/text-embedding-3-large", 0.3],
  ["openai/text-embedding-ada-002", 0.75],
]);

/** The bar of a model that nobody measured. It is low: the ten nearest are few. */
const UNKNOWN_MODEL_BAR = 0.3;

/** The similarity, -1 to 1, that makes a memory a candidate in an embedding space. */
export function candidateBar({ provider, model }: EmbeddingSpace): number {
  return BARS.get(`${provider}/${model}`) ?? UNKNOWN_MODEL_BAR;
}
