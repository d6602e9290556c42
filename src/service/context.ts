import type { Account, WriteUsage } from "../domain/account.ts";
import type { SkippedReason } from "../domain/auto-supersession.ts";
import type { Llm } from "../domain/conversation.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Answerer } from "../providers/answerer.ts";
import type { Embedder } from "../providers/embedder.ts";
import type { Extractor } from "../providers/extractor.ts";
import type { ModelUsage } from "../providers/model-call.ts";
import type { SupersessionClassifier } from "../providers/supersession-classifier.ts";
import type { Executor } from "../storage/schema.ts";
import type { IdempotencyLeases } from "./idempotency-leases.ts";

/** What every use case stands on: the database, the time, and new names. */
export interface ServiceContext {
  readonly db: Executor;
  /** Whose keys were looked up a moment ago, in this process. */
  readonly callers: CallerCache;
  /** The idempotency keys that calls of this process hold. */
  readonly leases: IdempotencyLeases;
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

/** The callers whose keys were found to be good a moment ago, one cache a process. */
export interface CallerCache {
  /**
   * The caller of a key digest. Requests that come while the first one looks it up
   * share its look-up; age counts from its start, so that no answer is older than
   * CALLER_CACHE_MS. A look-up that throws is forgotten.
   */
  get(digest: string, now: Instant, lookUp: () => Promise<Caller>): Promise<Caller>;
  /**
   * Forgets the keys of an account that has just changed, so that this server acts on
   * the change at once. Look-ups in progress may have read what was before: whoever
   * waits for them gets that, and nobody else.
   */
  forget(companyId: CompanyId): void;
}

/** What came of one run of the classifier. */
export type ClassificationOutcome = "superseded" | "shadow" | SkippedReason;

/** What an operator sees of the service's judgement and its costs. Never text or keys. */
export interface ServiceMetrics {
  /** A call of a model succeeded. */
  modelCalled(usage: ModelUsage): void;
  /** The classifier ran for a new memory. */
  classified(outcome: ClassificationOutcome): void;
  /** An automatic supersession was taken back: the classifier was wrong. */
  restored(): void;
}
