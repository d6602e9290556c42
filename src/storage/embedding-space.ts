import type { EmbeddingSpace } from "../providers/embedder.ts";
import type { Executor } from "./schema.ts";

/**
 * Records the space of this database's vectors on the first start and compares
 * it on every later one. Throws an Error that says what to do when it differs.
 */
export declare function claimEmbeddingSpace(db: Executor, space: EmbeddingSpace): Promise<void>;
