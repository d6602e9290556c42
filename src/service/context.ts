import type { LruMap } from "../concurrency/bounds.ts";
import type { LoopTurns } from "../concurrency/loop-turns.ts";
import type { Account, WriteUsage } from "../domain/account.ts";
import type { KeyRights } from "../domain/api-key.ts";
import type { SkippedReason } from "../domain/auto-supersession.ts";
import type { CategoryNearness } from "../domain/category-gate.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { CallNotes } from "../domain/logged-call.ts";
import type { Llm } from "../domain/memory-write.ts";
import type { Settings } from "../domain/settings.ts";
import type { Answerer } from "../providers/answerer.ts";
import type { Embedder } from "../providers/embedder.ts";
import type { Extractor } from "../providers/extractor.ts";
import type { CalledModel, ModelUsage } from "../providers/model-call.ts";
import type { SupersessionClassifier } from "../providers/supersession-classifier.ts";
import type { UpstreamProblem } from "../providers/upstream/upstream-error.ts";
import type { IndexedVectors } from "../storage/account-indexes.ts";
import type { ServiceDb } from "../storage/connection-pool.ts";
import type { IdempotencyClaim } from "../storage/idempotency-keys.ts";
import type { AccountDb } from "../storage/schema.ts";
import type { CallerCache } from "./caller-cache.ts";

/** Every use case needs these: the database, the time and new IDs. */
export interface ServiceContext {
  /** For what belongs to no account; a call has that of its own in `Caller`. */
  readonly db: ServiceDb;
  /** The callers whose keys this process looked up a moment ago. */
  readonly callers: CallerCache<KnownCaller>;
  /** By API key or session, as they were read last; another server may have changed them. */
  readonly lastSettings: LruMap<string, Settings>;
  /** For requests that failed. */
  readonly idempotencyReleases: {
    /** Releases a key at once or, where that fails, in the background. Never rejects. */
    release(claim: IdempotencyClaim): Promise<void>;
    /** Releases a key in the background, as soon as the database answers. */
    releaseLater(claim: IdempotencyClaim): void;
  };
  now(): Instant;
  /** UUIDv7: the order of IDs is the order of their creation (D4). */
  newId(): string;
  randomBytes(length: number): Uint8Array;
  readonly tracer: Tracer;
  /** `warn`: something but no request failed. `info`: it cannot be undone. No user text or keys. */
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}

/** An embedder and the database's ID of its space. */
export interface SpaceEmbedder {
  readonly spaceId: number;
  readonly embedder: Embedder;
}

/** Use cases that turn texts into vectors need these besides. */
export interface EmbeddingContext extends ServiceContext {
  /** The present model and, in a move, the next one. The database says which of them is active. */
  readonly embedders: readonly SpaceEmbedder[];
  /** For what would hold the event loop of the process too long in one piece. */
  readonly loopTurns: LoopTurns;
  readonly metrics: ServiceMetrics;
  readonly accountIndexes: {
    /** The index of these vectors; null: they are searched exactly. */
    find(companyId: CompanyId, tenantId: string | null, spaceId: number): IndexedVectors | null;
  };
}

/** The category gate's example statements, embedded once for each space by one process. */
export interface CategoryExamples {
  /** Begins to embed the examples that are not embedded yet, for who asks next. */
  prepare(embedders: readonly SpaceEmbedder[]): void;
  /** How near memories are to the examples. Where the embedder fails, everything is in doubt. */
  nearnessIn(embedder: SpaceEmbedder): Promise<CategoryNearness>;
}

/** Use cases that read or write facts need these besides. */
export interface MemoryContext extends EmbeddingContext {
  readonly extractor: Extractor;
  /** The extractor of a caller's own model. Throws `invalid_field` for one that is not offered. */
  extractorOf(llm: Llm): Extractor;
  readonly answerer: Answerer;
  readonly classifier: SupersessionClassifier;
  /** The category gate compares memories with these. */
  readonly categoryExamples: CategoryExamples;
  /** Whether what a conversation states and is not believed is kept, for the dashboard to show. */
  readonly keepsRejectedFacts: boolean;
  /** For all calls of models of one request together. */
  readonly modelRequestTimeoutMs: number;
  /** Milliseconds of a clock that only goes forward. */
  monotonicMs(): number;
}

/** A session is one of the account's dashboard, an access token the identity provider's. */
export type Credential = "api_key" | "session" | "access_token";

/** The owner of an API key, a session or an access token that was found to be good. */
export interface KnownCaller {
  readonly companyId: CompanyId;
  readonly credential: Credential;
  /** The ID of the key or of the session; for access tokens one of the user at the provider. */
  readonly apiKeyId: string;
  /** SHA-256 of the key, or of the token, in base64: to look at it again. */
  readonly keyDigest: string;
  readonly account: Account;
  /** Of the key or the access token; null: of a session, which has every right. */
  readonly rights: KeyRights | null;
  /** Looks the caller up again, in the account's share where it is known; null: no longer good. */
  readonly find: (owner: CompanyId | null) => Promise<KnownCaller | null>;
  /** Of the billing period in which the key was looked up; null: it had none. */
  readonly usage: WriteUsage | null;
}

/** The caller of one call. */
export interface Caller extends KnownCaller {
  /** The database as this account's; it sends nothing more once the client has left. */
  readonly db: AccountDb;
  /** For the account's log of calls. */
  readonly notes: CallNotes;
}

/** The outcome of one run of the classifier. */
export type ClassificationOutcome = "superseded" | "retracted" | "shadow" | SkippedReason;

/** Why a call of a model brought nothing of use. */
export type ModelFailureCause =
  | UpstreamProblem["kind"]
  /** Too many calls were in progress, or waited. */
  | "overloaded"
  /** A defect of ours. */
  | "internal";

/** Metrics of the models and their costs, for the operator. They hold no text and no keys. */
export interface ModelMetrics {
  /** A call of a model was answered. */
  modelCalled(usage: ModelUsage): void;
  modelFailed(called: CalledModel, cause: ModelFailureCause): void;
}

/** Metrics of the service's decisions, for the operator. They hold no text and no keys. */
export interface ServiceMetrics extends ModelMetrics {
  /** The first text of an answer that is given while it comes was there so long after its question. */
  answerBegan(durationMs: number): void;
  /** A search for memories begins; the returned function says, once, what it found. */
  retrievalBegan(): (found: { readonly scanned: number; readonly returned: number }) => void;
  /** The classifier ran for a new memory, or for what a user took back. */
  classified(outcome: ClassificationOutcome): void;
  /** An automatic supersession or retraction was taken back: the classifier was wrong. */
  restored(): void;
  /** So many memories were erased; by `api_key`, or an actor that is none. */
  erased(count: number, by: string): void;
}

/** Attributes of a span. They hold no text, keys, tenants or accounts. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A piece of work while it goes on. */
export interface Span {
  set(attributes: SpanAttributes): void;
}

/** The pieces of work that a call consists of. */
export type SpanName =
  | "gate"
  | "embed"
  | "retrieve"
  | "answer"
  | "classify"
  | "extract"
  | "verify"
  | "write";

/** Tells whoever traces calls what they do, and how long that takes. */
export interface Tracer {
  /** Does `work` as a part of what is being done. Only the kind of an error is told. */
  span<T>(name: SpanName, attributes: SpanAttributes, work: (span: Span) => Promise<T>): Promise<T>;
}

const NO_SPAN: Span = { set: () => {} };

/** Nobody traces. */
export const NO_TRACER: Tracer = { span: (_name, _attributes, work) => work(NO_SPAN) };
