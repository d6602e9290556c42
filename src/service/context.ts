import type { Account, WriteUsage } from "../domain/account.ts";
import type { Llm } from "../domain/conversation.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Answerer } from "../providers/answerer.ts";
import type { Embedder } from "../providers/embedder.ts";
import type { Extractor } from "../providers/extractor.ts";
import type { SupersessionClassifier } from "../providers/supersession-classifier.ts";
import type { Executor } from "../storage/schema.ts";
import type { CallerCache } from "./caller-cache.ts";
import type { ServiceMetrics } from "./model-calls.ts";

/** What every use case stands on: the database, the time, and new names. */
export interface ServiceContext {
  readonly db: Executor;
  /** Whose keys were looked up a moment ago, in this process. */
  readonly callers: CallerCache;
  now(): Instant;
  /** UUIDv7: the order of IDs is the order of their creation (D4). */
  newId(): string;
  randomBytes(length: number): Uint8Array;
  /** For what went wrong without failing the request. Never of user text or keys. */
  readonly log: { warn(fields: object, message: string): void };
}

/** An embedder and the database's ID of its space. */
export interface SpaceEmbedder {
  readonly spaceId: number;
  readonly embedder: Embedder;
}

/** What the use cases that turn texts into vectors need besides. */
export interface EmbeddingContext extends ServiceContext {
  /**
   * The present embedding model's and, while the database is to move to another
   * one, the next model's. Which of them is the active one, the database says.
   */
  readonly embedders: readonly SpaceEmbedder[];
  readonly metrics: ServiceMetrics;
}

/** What use cases that read or write facts need besides. */
export interface MemoryContext extends EmbeddingContext {
  readonly extractor: Extractor;
  /** The extractor of a caller's own model. Throws `invalid_field` for one that is not offered. */
  extractorOf(llm: Llm): Extractor;
  readonly answerer: Answerer;
  readonly classifier: SupersessionClassifier;
  /** For all calls of models of one request together. */
  readonly modelRequestTimeoutMs: number;
}

/** Who calls: the owner of an API key that was found to be good. */
export interface Caller {
  readonly companyId: CompanyId;
  readonly apiKeyId: string;
  readonly account: Account;
  /** The usage that was recorded last when the key was looked up; null: none was. */
  readonly usage: WriteUsage | null;
}
