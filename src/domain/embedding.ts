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

/** Compares many vectors with one, of which few numbers are not 0 where it was made offline. */
export function similarityTo(vector: Vector): (other: Vector) => number {
  const places: number[] = [];
  for (let i = 0; i < vector.length; i++) if (vector[i] !== 0) places.push(i);
  if (places.length > vector.length / 4) return (other) => cosine(vector, other);
  return (other) => {
    let sum = 0;
    for (const i of places) sum += (vector[i] as number) * (other[i] as number);
    return sum;
  };
}

/**
 * Of two vectors of one space: they are of unit length, so that the dot product is the
 * cosine. It runs for each pair of facts of a write. Of several sums none waits for the one
 * before: that takes less than half the time.
 */
export function cosine(a: Vector, b: Vector): number {
  if (a.length !== b.length) throw new Error("Vectors of one space are of one length");
  const parted = a.length - (a.length % 4);
  let [one, two, three, four] = [0, 0, 0, 0];
  for (let i = 0; i < parted; i += 4) {
    one += (a[i] as number) * (b[i] as number);
    two += (a[i + 1] as number) * (b[i + 1] as number);
    three += (a[i + 2] as number) * (b[i + 2] as number);
    four += (a[i + 3] as number) * (b[i + 3] as number);
  }
  for (let i = parted; i < a.length; i++) one += (a[i] as number) * (b[i] as number);
  return one + two + three + four;
}
