import { createLocalEmbedder } from "@agent-memory/offline-models";
import { CALL } from "./model-call.ts";

const embedder = createLocalEmbedder();

/**
 * Vectors that mean something, so that a question finds its memory. Not of unit
 * length: no vendor promises that of a shortened vector.
 */
export async function fakeVectors(
  texts: readonly string[],
  purpose: "document" | "query",
  dimensions: number,
): Promise<number[][]> {
  const vectors = await embedder.embed(texts, purpose, CALL);
  return vectors.map((vector) =>
    Array.from(vector)
      .slice(0, dimensions)
      .map((value) => 3 * value),
  );
}
