import type { Embedder } from "../providers/embedder.ts";

/** An embedder and the database's ID of its space. */
export interface SpaceEmbedder {
  readonly spaceId: number;
  readonly embedder: Embedder;
}
