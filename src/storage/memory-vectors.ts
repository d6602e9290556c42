import type { Instant } from "../domain/instant.ts";
import type { Memory } from "../domain/memory.ts";
import type { Executor } from "./schema.ts";

export interface VectorSearch {
  readonly companyId: string;
  readonly tenantId: string | null;
  /** null: every source. */
  readonly sources: readonly string[] | null;
  /** Only memories that hold from this moment or earlier; null: any. */
  readonly validFromAtMost: Instant | null;
  readonly now: Instant;
  readonly vector: readonly number[];
  readonly limit: number;
}

export interface SimilarMemory {
  readonly memory: Memory;
  /** Cosine similarity, clipped to 0 and 1. */
  readonly similarity: number;
}

/**
 * The current memories nearest to a vector, most similar first, newest first
 * among equals. Exact: the filters apply before similarity, and the answer is
 * what a full sort would give.
 */
export declare function findSimilarMemories(
  db: Executor,
  search: VectorSearch,
): Promise<SimilarMemory[]>;
