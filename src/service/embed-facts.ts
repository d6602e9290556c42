import { attributeOf } from "../domain/attribute.ts";
import type { JsonValue } from "../domain/audit-event.ts";
import { toMemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import {
  type Extraction,
  type Memory,
  type Provenance,
  periodOf,
  type Span,
} from "../domain/memory.ts";
import {
  type ContentWrite,
  checkKnownEnds,
  isAutoSuperseding,
  type MemoryWrite,
  type MessagesWrite,
  scopesOf,
  type WriteScope,
} from "../domain/memory-write.ts";
import type { Settings } from "../domain/settings.ts";
import { spanFinderIn } from "../domain/span.ts";
import { zip } from "../domain/zip.ts";
import type { Extractor } from "../providers/extractor.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { type EmbeddedDocument, embedDocuments } from "./embeddings.ts";
import type { RequestModels } from "./model-calls.ts";
import type { Writer } from "./plan.ts";
import type { Rejected } from "./rejected-facts.ts";

/** A fact that a write states, or one that a user takes back in it (D25a). */
interface FoundStatement {
  readonly decision: string;
  readonly summary: string;
  readonly topic: string;
  readonly importanceScore: number;
  readonly originalMessage: string;
  /** The part of it that the fact was taken from (D12d); undefined: all of it, or not known. */
  readonly span?: Span | undefined;
  /** The start and the end that the conversation states; null: none is stated. */
  readonly validFrom: Instant | null;
  readonly validTo: Instant | null;
  /** The excluded category that the extraction put it in; null: in none. */
  readonly category: string | null;
  readonly provenance: Provenance;
  readonly scope: WriteScope;
  /** The message that takes it back, counted from 0; null: it is a fact. */
  readonly retractedBy: number | null;
}

/** The statements of a write. */
export interface FoundFacts {
  /** The texts of all facts, in order, also of those beyond the quota. */
  readonly texts: readonly string[];
  /** The facts that the quota admits, in order, with what is taken back. */
  readonly statements: readonly FoundStatement[];
  /** The model that extracted the facts; null in content mode. */
  readonly extraction: Extraction | null;
  /** Facts that were not believed or not read, then retractions that are not to end anything. */
  readonly rejected: readonly Rejected[];
}

/** The extractor of a write. Throws `invalid_field` for a model of the caller's own that is not offered. */
export function extractorFor(context: MemoryContext, write: MemoryWrite): Extractor {
  return write.mode === "messages" && write.llm !== null
    ? context.extractorOf(write.llm)
    : context.extractor;
}

/**
 * The facts of a write: the content itself, or what the extractor finds in the messages.
 * Facts beyond the quota are reported but not stored, so no other model need see them.
 *
 * Throws `model_unavailable` when the extractor does not answer.
 */
export async function findFacts(
  context: MemoryContext,
  extractor: Extractor,
  write: MemoryWrite,
  { plan, settings }: Writer,
  { call }: RequestModels,
): Promise<FoundFacts> {
  const { writesRemaining } = plan;
  if (write.mode !== "messages") {
    const facts = (write.mode === "batch" ? write.memories : [write]).map(givenFact);
    return {
      texts: facts.map(({ decision }) => decision),
      statements: facts.slice(0, writesRemaining),
      extraction: null,
      rejected: [],
    };
  }
  const { provider, model } = extractor;
  const extraction = { provider, model, byoLlm: write.llm !== null };
  const { facts, retractions, rejected } = await extractor.extract(
    {
      messages: write.messages,
      at: write.validFrom ?? context.now(),
      categories: settings.excludedCategories,
    },
    call,
  );
  const finders = write.messages.map(({ content }) => spanFinderIn(content));
  const found = facts.map(({ messageIndex, quote = "", ...fact }) => {
    const span = finders[messageIndex]?.(quote);
    return { ...fact, ...saidIn(write, messageIndex, extraction), span, retractedBy: null };
  });
  const takenBack = retractions.map(({ text, topic, category, messageIndex }) => ({
    ...{ decision: text, summary: text, topic, category },
    // Nothing more is known of it, and it is never stored.
    ...{ importanceScore: 5, validFrom: null, validTo: null },
    ...saidIn(write, messageIndex, extraction),
    retractedBy: messageIndex,
  }));
  const isOn = isAutoSuperseding(write, settings);
  const disabled = retractions.map(({ text: fact, messageIndex }) => {
    return { fact, isRetraction: true, messageIndex, reason: "disabled" as const };
  });
  return {
    texts: found.map(({ decision }) => decision),
    statements: inOrder(found.slice(0, writesRemaining), isOn ? takenBack : []),
    extraction,
    rejected: isOn ? rejected : [...rejected, ...disabled],
  };
}

/** The fact of a content write: `decision` and `summary` are the content (D10). */
function givenFact(write: ContentWrite): FoundStatement {
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
    retractedBy: null,
  };
}

function saidIn(write: MessagesWrite, messageIndex: number, extraction: Extraction) {
  const { mode, messages, sessionId } = write;
  const message = messages[messageIndex];
  if (message === undefined) throw new Error("An extractor named a message that does not exist");
  const provenance = { mode, sessionId, messageIndex, extraction };
  return { originalMessage: message.content, provenance, scope: write };
}

/** Each retraction stands before the facts of its message: what a message states is to hold. */
function inOrder(
  facts: readonly FoundStatement[],
  retractions: readonly FoundStatement[],
): FoundStatement[] {
  const rest = [...retractions];
  const statements = facts.flatMap((fact) => {
    const messageIndex = fact.provenance.messageIndex ?? 0;
    const later = rest.findIndex(({ retractedBy }) => (retractedBy ?? 0) > messageIndex);
    return [...rest.splice(0, later === -1 ? rest.length : later), fact];
  });
  return [...statements, ...rest];
}

/** A statement as the memory that it becomes, or would become, with what it is found by. */
export interface EmbeddedStatement extends EmbeddedDocument {
  readonly memory: Memory;
  /** When it was said: the time of the conversation, or the start that the caller gave. */
  readonly statedAt: Instant;
  /** The excluded category that the extraction put it in; null: in none. */
  readonly category: string | null;
  readonly provenance: Provenance;
  /** Whether it is to supersede others; null: as the settings say. */
  readonly autoSupersede: boolean | null;
  /** The attribute that it gives a value of, to find others about the same; null: none is plain. */
  readonly attribute: string | null;
  /** The model calls that it took to find and embed the write's facts, for the history. */
  readonly modelCalls: { readonly extract: JsonValue[]; readonly embed: JsonValue[] };
  /** The message that takes it back, counted from 0; null: it is a fact. */
  readonly retractedBy: number | null;
}

/**
 * The statements as memories with what they are found by, in order, by one call of the
 * embedder. Throws `model_unavailable`, and `invalid_field` for a known end that passed
 * meanwhile.
 */
export async function embedFacts(
  context: MemoryContext,
  caller: Caller,
  write: MemoryWrite,
  found: readonly FoundStatement[],
  settings: Settings,
  { call, usage }: RequestModels,
): Promise<EmbeddedStatement[]> {
  // Side by side with the write's own call, so that it does not wait for the examples as well.
  if (scopesOf(write).some((scope) => isAutoSuperseding(scope, settings))) {
    context.categoryExamples.prepare(context.embedders);
  }
  const texts = found.map(({ decision }) => decision);
  const documents = await embedDocuments(context, caller.db, texts, call);
  const modelCalls = {
    extract: [...usage.calls("extract"), ...usage.calls("verify")],
    embed: usage.calls("embed"),
  };
  const createdAt = context.now();
  checkKnownEnds(write, createdAt);
  return zip(found, documents).map(([statement, document]) => {
    const { provenance, category, retractedBy, scope, ...fact } = statement;
    const { tenantId, source, autoSupersede, metadata } = scope;
    const statedAt = scope.validFrom ?? createdAt;
    const memory = {
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
    };
    return {
      ...{ memory, statedAt, category, provenance, autoSupersede, retractedBy },
      attribute: attributeOf(fact.decision),
      ...document,
      modelCalls,
    };
  });
}
