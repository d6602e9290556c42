import type { JsonValue } from "../domain/audit-event.ts";
import type { ChatMessage, Llm } from "../domain/conversation.ts";
import { invalidField } from "../domain/failure.ts";
import { toMemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Extraction, Memory, Provenance } from "../domain/memory.ts";
import { zip } from "../domain/zip.ts";
import type { Extractor, RejectedFact } from "../providers/extractor.ts";
import type { SpaceVector } from "../storage/embedding-spaces.ts";
import type { Caller, EmbeddingContext, ServiceContext } from "./context.ts";
import { embedDocuments } from "./embeddings.ts";
import type { UsageLog } from "./model-calls.ts";

/** What both modes of a write have (4.1). */
interface WriteScope {
  readonly source: string;
  readonly tenantId: string | null;
  /** null: as the settings say. */
  readonly autoSupersede: boolean | null;
  /** With messages, when the conversation took place. null: now. */
  readonly validFrom: Instant | null;
  /** null: no end is known. */
  readonly validTo: Instant | null;
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
  readonly sessionId: string | null;
  /** The caller's own model; null: the service's. */
  readonly llm: Llm | null;
  readonly validTo: null;
}

export type MemoryWrite = ContentWrite | MessagesWrite;

/** A fact as the caller or the extractor states it. */
export interface FoundFact {
  readonly decision: string;
  readonly summary: string;
  readonly topic: string;
  readonly importanceScore: number;
  readonly originalMessage: string;
  readonly provenance: Provenance;
}

/** A fact as the memory that it becomes, with what it is found by. */
export interface EmbeddedFact {
  readonly memory: Memory;
  readonly provenance: Provenance;
  /** The first one is of the space that memories are retrieved in. */
  readonly vectors: readonly [SpaceVector, ...SpaceVector[]];
  /** The model calls that it took to find and embed the write's facts, for the history. */
  readonly modelCalls: { readonly extract: JsonValue[]; readonly embed: JsonValue[] };
}

/** Throws `invalid_field` for a known end that is not later than the start (D17). */
export function checkKnownEnd({ validFrom, validTo }: WriteScope, now: Instant): void {
  if (validTo !== null && validTo <= (validFrom ?? now)) {
    throw invalidField("valid_to", "must be later than `valid_from`");
  }
}

/** What a write states. */
export interface FactsInWrite {
  readonly found: readonly FoundFact[];
  /** The model that extracted the facts; null in content mode. */
  readonly extraction: Extraction | null;
  /** What was not believed or not read. */
  readonly rejected: readonly RejectedFact[];
}

/** The facts of a write: the content itself, or what the extractor finds in the messages. */
export async function findFacts(
  context: ServiceContext,
  extractor: Extractor,
  write: MemoryWrite,
  usage: UsageLog,
  signal: AbortSignal,
): Promise<FactsInWrite> {
  if (write.mode === "content") {
    const { content, topic, importanceScore } = write;
    const provenance = { mode: write.mode, sessionId: null, messageIndex: null, extraction: null };
    const texts = { decision: content, summary: content, originalMessage: content };
    return {
      found: [{ ...texts, topic, importanceScore, provenance }],
      extraction: null,
      rejected: [],
    };
  }
  const { messages, sessionId, llm } = write;
  const { provider, model } = extractor;
  const extraction = { provider, model, byoLlm: llm !== null };
  const at = write.validFrom ?? context.now();
  const { facts, rejected } = await extractor.extract({ messages, at }, signal, usage.report);
  const found = facts.map(({ messageIndex, ...fact }): FoundFact => {
    const message = messages[messageIndex];
    if (message === undefined) throw new Error("An extractor named a message that does not exist");
    const provenance = { mode: write.mode, sessionId, messageIndex, extraction };
    return { ...fact, originalMessage: message.content, provenance };
  });
  return { found, extraction, rejected };
}

/**
 * The facts as memories with their vectors, by one call of the embedder for all of
 * them. Throws `invalid_field` for a known end that passed meanwhile, and
 * `model_unavailable`.
 */
export async function embedFacts(
  context: EmbeddingContext,
  caller: Caller,
  write: MemoryWrite,
  found: readonly FoundFact[],
  usage: UsageLog,
  signal: AbortSignal,
): Promise<EmbeddedFact[]> {
  if (found.length === 0) return [];
  const texts = found.map(({ decision }) => decision);
  const vectors = await embedDocuments(context, texts, signal, usage.report);
  const modelCalls = { extract: usage.calls("extract"), embed: usage.calls("embed") };
  const createdAt = context.now();
  checkKnownEnd(write, createdAt);
  return zip(found, vectors).map(([{ provenance, ...fact }, vectors]) => ({
    memory: {
      id: toMemoryId(context.newId()),
      companyId: caller.companyId,
      tenantId: write.tenantId,
      source: write.source,
      ...fact,
      createdAt,
      validFrom: write.validFrom ?? createdAt,
      validTo: write.validTo,
      supersededBy: null,
      supersededAt: null,
    },
    provenance,
    vectors,
    modelCalls,
  }));
}
