/**
 * A vector is stored within its row, and a row within a page of 8 KiB: this many
 * single precision numbers leave room for the columns beside them.
 */
export const MAX_EMBEDDING_DIMENSIONS = 1_900;

/** Length of the offline embedder's vectors, and of a vendor's unless the operator says otherwise. */
export const DEFAULT_EMBEDDING_DIMENSIONS = 768;

/** Numbers that stand for a text. Embedders make a Float32Array, as long as a vector is stored. */
export type Vector = ArrayLike<number>;

/** The model of a vector. Vectors of different spaces can't be compared. */
export interface EmbeddingSpace {
  readonly provider: string;
  readonly model: string;
  /** Length of every vector. */
  readonly dimensions: number;
}

/**
 * Of two vectors of one space: they are of unit length, so that the dot product is the
 * cosine. A plain loop: it runs for each pair of facts of a write.
 */
export function cosine(a: Vector, b: Vector): number {
  if (a.length !== b.length) throw new Error("Vectors of one space are of one length");
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
