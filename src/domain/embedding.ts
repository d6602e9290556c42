/**
 * A vector is stored within its row, and a row within a page of 8 KiB: this many
 * single precision numbers leave room for the columns beside them.
 */
export const MAX_EMBEDDING_DIMENSIONS = 1_900;

/** Length of the offline embedder's vectors, and of a vendor's unless the operator says otherwise. */
export const DEFAULT_EMBEDDING_DIMENSIONS = 768;

/** What a vector came from. Vectors of different spaces can't be compared. */
export interface EmbeddingSpace {
  readonly provider: string;
  readonly model: string;
  /** Length of every vector. */
  readonly dimensions: number;
}
