import { attributeOf } from "../domain/attribute.ts";
import type { JsonValue } from "../domain/audit-event.ts";
import { toMemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { type Memory, type Provenance, periodOf } from "../domain/memory.ts";
import {
  checkKnownEnds,
  isAutoSuperseding,
  type MemoryWrite,
  scopesOf,
} from "../domain/memory-write.ts";
import type { Settings } from "../domain/settings.ts";
import { zip } from "../domain/zip.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { type EmbeddedDocument, embedDocuments } from "./embeddings.ts";
import type { FoundStatement } from "./find-facts.ts";
import type { RequestModels } from "./model-calls.ts";

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
