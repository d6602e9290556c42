import { attributeOf } from "../domain/attribute.ts";
import type { JsonValue } from "../domain/audit-event.ts";
import type { ChatMessage, Llm } from "../domain/conversation.ts";
import { invalidField } from "../domain/failure.ts";
import { toMemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import {
  type Extraction,
  type Memory,
  type Metadata,
  type Provenance,
  periodOf,
} from "../domain/memory.ts";
import type { SearchTerms } from "../domain/search-terms.ts";
import { zip } from "../domain/zip.ts";
import type { Extractor, RejectedFact, Retraction } from "../providers/extractor.ts";
import type { ModelCall } from "../providers/model-call.ts";
import type { SpaceVector } from "../storage/embedding-spaces.ts";
import type { Caller, EmbeddingContext, ServiceContext } from "./context.ts";
import { embedDocuments } from "./embeddings.ts";
import type { UsageLog } from "./model-calls.ts";
import { searchTermsOfAll } from "./search-terms.ts";

/** What both modes of a write have (4.1). */
export interface WriteScope {
  readonly source: string;
  readonly tenantId: string | null;
  /** The conversation that the write comes from; null: none was named. */
  readonly sessionId: string | null;
  /** null: as the settings say. */
  readonly autoSupersede: boolean | null;
  /** With messages, when the conversation took place. null: now. */
  readonly validFrom: Instant | null;
  /** null: no end is known. */
  readonly validTo: Instant | null;
  readonly metadata: Metadata;
}

export interface ContentWrite extends WriteScope {
  readonly mode: "content";
  /** Stored exactly as given. */
  readonly content: string;
  readonly topic: string;
  readonly importanceScore: number;
}

export interface MessagesWrite extends WriteScope {
  readonly mode: "messages";
  /** Oldest first; at least one. */
  readonly messages: readonly ChatMessage[];
  /** The caller's own model; null: the service's. */
  readonly llm: Llm | null;
  readonly validTo: null;
}

/** Many facts at once, in order (D41). */
export interface BatchWrite {
  readonly mode: "batch";
  readonly memories: readonly ContentWrite[];
}

export type MemoryWrite = ContentWrite | MessagesWrite | BatchWrite;

/** A fact as the caller or the extractor states it. */
export interface FoundFact {
  readonly decision: string;
  readonly summary: string;
  readonly topic: string;
  readonly importanceScore: number;
  readonly originalMessage: string;
  /** The start and the end that the conversation states; null: none is stated. */
  readonly validFrom: Instant | null;
  readonly validTo: Instant | null;
  /** The excluded category that the extraction put it in; null: in none. */
  readonly category: string | null;
  readonly provenance: Provenance;
  readonly scope: WriteScope;
}

/** A fact as the memory that it becomes, with what it is found by. */
export interface EmbeddedFact {
  readonly memory: Memory;
  /** When it was said: the time of the conversation, or the start that the caller gave. */
  readonly statedAt: Instant;
  /** The excluded category that the extraction put it in; null: in none. */
  readonly category: string | null;
  readonly provenance: Provenance;
  /** Whether it is to supersede others; null: as the settings say. */
  readonly autoSupersede: boolean | null;
  /** What it is about, to find others about the same; null: it does not say so plainly. */
  readonly attribute: string | null;
  /** The first one is of the space that memories are retrieved in. */
  readonly vectors: readonly [SpaceVector, ...SpaceVector[]];
  readonly terms: SearchTerms;
  /** The model calls that it took to find and embed the write's facts, for the history. */
  readonly modelCalls: { readonly extract: JsonValue[]; readonly embed: JsonValue[] };
}

/** Throws `invalid_field` for a known end that is not later than the start (D17). */
export function checkKnownEnds(write: MemoryWrite, now: Instant): void {
  if (write.mode !== "batch") checkKnownEnd("valid_to", write, now);
  else {
    for (const [index, memory] of write.memories.entries())
      checkKnownEnd(`memories[${index}].valid_to`, memory, now);
  }
}

function checkKnownEnd(field: string, { validFrom, validTo }: WriteScope, now: Instant): void {
  if (validTo !== null && validTo <= (validFrom ?? now)) {
    throw invalidField(field, "must be later than `valid_from`");
  }
}

/** What a write states. */
export interface FactsInWrite {
  readonly found: readonly FoundFact[];
  /** What users took back in the messages, each as the fact that it was (D25a). */
  readonly retractions: readonly FoundFact[];
  /** The model that extracted the facts; null in content mode. */
  readonly extraction: Extraction | null;
  /** What was not believed or not read. */
  readonly rejected: readonly RejectedFact[];
}

/**
 * The facts of a write: the content itself, or what the extractor finds in the
 * messages. `categories` are those that the account excludes.
 */
export async function findFacts(
  context: ServiceContext,
  extractor: Extractor,
  write: MemoryWrite,
  categories: readonly string[],
  call: ModelCall,
): Promise<FactsInWrite> {
  if (write.mode !== "messages") return factsAsGiven(write);
  const { messages, sessionId, llm } = write;
  const { provider, model } = extractor;
  const extraction = { provider, model, byoLlm: llm !== null };
  const at = write.validFrom ?? context.now();
  const conversation = { messages, at, categories };
  const { facts, retractions, rejected } = await extractor.extract(conversation, call);
  const scope: WriteScope = write;
  function saidIn(messageIndex: number) {
    const message = messages[messageIndex];
    if (message === undefined) throw new Error("An extractor named a message that does not exist");
    const provenance = { mode: "messages", sessionId, messageIndex, extraction } as const;
    return { originalMessage: message.content, provenance, scope };
  }
  return {
    found: facts.map(({ messageIndex, ...fact }) => ({ ...fact, ...saidIn(messageIndex) })),
    retractions: retractions.map((retraction) => ({
      ...asFact(retraction),
      ...saidIn(retraction.messageIndex),
    })),
    extraction,
    rejected,
  };
}

/** The facts of a write that needs no extractor. */
export function factsAsGiven(write: ContentWrite | BatchWrite): FactsInWrite {
  const writes = write.mode === "batch" ? write.memories : [write];
  return { found: writes.map(factOf), retractions: [], extraction: null, rejected: [] };
}

function factOf(write: ContentWrite): FoundFact {
  const { mode, content, topic, importanceScore, sessionId, validTo } = write;
  return {
    decision: content,
    summary: content,
    originalMessage: content,
    topic,
    importanceScore,
    validFrom: null,
    validTo,
    category: null,
    provenance: { mode, sessionId, messageIndex: null, extraction: null },
    scope: write,
  };
}

/** What is taken back, as a fact of which nothing more is known. It is never stored. */
function asFact({ text, topic, category }: Retraction) {
  const unknown = { importanceScore: 5, validFrom: null, validTo: null };
  return { decision: text, summary: text, topic, category, ...unknown };
}

/** What texts are found by: of each its vectors, and its terms. */
export interface FoundBy {
  readonly vectors: readonly (readonly [SpaceVector, ...SpaceVector[]])[];
  readonly terms: readonly SearchTerms[];
}

/** The same for facts, in order, by one call of the embedder for all. Throws `model_unavailable`. */
export async function findableBy(
  context: EmbeddingContext,
  caller: Caller,
  found: readonly FoundFact[],
  call: ModelCall,
): Promise<FoundBy> {
  if (found.length === 0) return { vectors: [], terms: [] };
  const texts = found.map(({ decision }) => decision);
  const [vectors, terms] = await Promise.all([
    embedDocuments(context, caller.db, texts, call),
    searchTermsOfAll(context, texts, call),
  ]);
  return { vectors, terms };
}

/**
 * The facts as memories with what they are found by. Throws `invalid_field` for a known
 * end that passed meanwhile.
 */
export function embeddedFacts(
  context: EmbeddingContext,
  caller: Caller,
  write: MemoryWrite,
  found: readonly FoundFact[],
  { vectors, terms }: FoundBy,
  usage: UsageLog,
): EmbeddedFact[] {
  const modelCalls = {
    extract: [...usage.calls("extract"), ...usage.calls("verify")],
    embed: usage.calls("embed"),
  };
  const createdAt = context.now();
  checkKnownEnds(write, createdAt);
  return zip(zip(found, vectors), terms).map(
    ([[{ provenance, category, scope, ...fact }, vectors], terms]) => {
      const { tenantId, source, autoSupersede, metadata } = scope;
      const statedAt = scope.validFrom ?? createdAt;
      return {
        memory: {
          id: toMemoryId(context.newId()),
          companyId: caller.companyId,
          tenantId,
          source,
          metadata,
          ...fact,
          createdAt,
          ...periodOf(fact, statedAt),
          supersededBy: null,
          supersededAt: null,
        },
        statedAt,
        category,
        autoSupersede,
        attribute: attributeOf(fact.decision),
        provenance,
        vectors,
        terms,
        modelCalls,
      };
    },
  );
}
