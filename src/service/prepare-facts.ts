import { notRun } from "../domain/auto-supersede.ts";
import type { Instant } from "../domain/instant.ts";
import type { Memory, Provenance } from "../domain/memory.ts";
import { checkKnownEnd } from "../domain/validity.ts";
import { classifyFacts } from "./classify-facts.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { embedDocuments } from "./embeddings.ts";
import type { UsageLog } from "./model-usage.ts";
import { settingsOf } from "./settings.ts";
import type { PreparedFact } from "./store-facts.ts";

/** What the caller or the extractor says of a fact. */
export interface FactInput {
  readonly decision: string;
  readonly summary: string;
  readonly topic: string;
  readonly importanceScore: number;
  readonly originalMessage: string;
  readonly provenance: Provenance;
}

/** What the facts of one write have in common. */
export interface WriteScope {
  readonly tenantId: string | null;
  readonly source: string;
  /** null: the time of the write. */
  readonly validFrom: Instant | null;
  readonly validTo: Instant | null;
  /** The request's override; null: as the settings say. */
  readonly autoSupersede: boolean | null;
}

/**
 * Everything that a model has to say before a write opens its transaction: one
 * call of an embedder for all facts, and the classifier where it is enabled.
 */
export async function prepareFacts(
  context: MemoryContext,
  caller: Caller,
  scope: WriteScope,
  inputs: readonly FactInput[],
  usage: UsageLog,
  signal: AbortSignal,
): Promise<PreparedFact[]> {
  if (inputs.length === 0) return [];
  const texts = inputs.map(({ decision }) => decision);
  const [vectors, settings] = await Promise.all([
    embedDocuments(context, texts, signal, usage.report),
    settingsOf(context, caller),
  ]);
  const modelCalls = { extract: usage.calls("extract"), embed: usage.calls("embed") };
  const createdAt = context.now();
  // The embedder took its time, in which a known end may have passed.
  checkKnownEnd(scope.validFrom ?? createdAt, scope.validTo);
  const facts = inputs.map((input, index) => {
    const memory = newMemory(context.newId(), caller.companyId, scope, input, createdAt);
    return { memory, vectors: vectors[index] ?? [], provenance: input.provenance, modelCalls };
  });

  if (!(scope.autoSupersede ?? settings.autoSupersedeDefault)) {
    const classified = { kind: "skipped", outcome: notRun("disabled") } as const;
    return facts.map((fact) => ({ ...fact, classified }));
  }
  const classified = await classifyFacts(context, caller, facts, settings, signal);
  return facts.flatMap((fact, index) => {
    const verdict = classified[index];
    return verdict === undefined ? [] : { ...fact, classified: verdict };
  });
}

function newMemory(
  id: string,
  companyId: string,
  scope: WriteScope,
  input: FactInput,
  createdAt: Instant,
): Memory {
  return {
    id,
    companyId,
    tenantId: scope.tenantId,
    decision: input.decision,
    summary: input.summary,
    topic: input.topic,
    importanceScore: input.importanceScore,
    source: scope.source,
    createdAt,
    validFrom: scope.validFrom ?? createdAt,
    validTo: scope.validTo,
    supersededBy: null,
    supersededAt: null,
    originalMessage: input.originalMessage,
  };
}
