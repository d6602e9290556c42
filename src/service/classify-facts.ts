import type { JsonValue } from "../domain/audit-event.ts";
import { type AutoSupersedeOutcome, notRun, type SkippedReason } from "../domain/auto-supersede.ts";
import { createCategoryGate } from "../domain/category-gate.ts";
import { MAX_SUPERSESSION_CANDIDATES, MIN_CANDIDATE_SIMILARITY } from "../domain/limits.ts";
import { type Memory, temporalFlags } from "../domain/memory.ts";
import type { AutoSupersedeMode, Settings } from "../domain/settings.ts";
import type { ReportUsage } from "../providers/model-call.ts";
import type { Classification } from "../providers/supersession-classifier.ts";
import { embeddingModelReplaced, type SpaceVector } from "../storage/embedding-spaces.ts";
import { findSimilarMemories, type SimilarMemory } from "../storage/memory-vectors.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { startUsageLog } from "./model-usage.ts";

/** A fact that is about to be stored. */
export interface NewFact {
  readonly memory: Memory;
  /** The first one is of the space that memories are retrieved in. */
  readonly vectors: readonly SpaceVector[];
}

/** What the classifier made of one new fact, before anything is stored. */
export type FactVerdict =
  | { readonly kind: "skipped"; readonly outcome: AutoSupersedeOutcome }
  | {
      readonly kind: "classified";
      readonly candidates: readonly Memory[];
      readonly classification: Classification;
      readonly mode: AutoSupersedeMode;
      /** The calls that it took, for the history. */
      readonly modelCalls: readonly JsonValue[];
      /** The candidate to end, and why none is. */
      readonly superseded: Memory | null;
      readonly skippedReason: SkippedReason | null;
    };

/**
 * Decides for each new fact, in order, which current memory it replaces (D23 to
 * D25): the category gate, the candidates, one call of the classifier, the
 * confidence bar. Later facts see earlier ones as candidates. Nothing is stored,
 * and a classifier that fails makes the fact one that replaces nothing. Throws
 * `model_unavailable` when the embedding model was replaced meanwhile.
 */
export async function classifyFacts(
  context: MemoryContext,
  caller: Caller,
  facts: readonly NewFact[],
  settings: Settings,
  signal: AbortSignal,
): Promise<FactVerdict[]> {
  const gate = createCategoryGate(settings.excludedCategories);
  const classified: FactVerdict[] = [];
  const supersededIds = new Set<string>();
  for (const [index, fact] of facts.entries()) {
    const result = await classifyFact(fact, facts.slice(0, index));
    if (result.kind === "classified" && result.superseded !== null) {
      supersededIds.add(result.superseded.id);
    }
    classified.push(result);
  }
  return classified;

  async function classifyFact(
    fact: NewFact,
    earlierFacts: readonly NewFact[],
  ): Promise<FactVerdict> {
    const { memory } = fact;
    if (gate.excludedCategory(memory) !== null) return skipped("excluded_category");
    if (!temporalFlags(memory, memory.createdAt).isCurrent) return skipped("no_candidates");

    const candidates = await findCandidates(fact, earlierFacts);
    if (candidates.length === 0) return skipped("no_candidates");

    const usage = startUsageLog(context);
    const classification = await classify(memory, candidates, usage.report);
    if (classification === null) {
      return {
        kind: "skipped",
        outcome: {
          ...notRun("classifier_unavailable"),
          ran: true,
          candidatesExamined: candidates.length,
        },
      };
    }
    const { supersededIndex, confidence } = classification;
    const superseded = supersededIndex === null ? null : (candidates[supersededIndex] ?? null);
    const skippedReason =
      superseded === null
        ? "not_superseding"
        : confidence < settings.minConfidence
          ? "below_min_confidence"
          : null;
    return {
      kind: "classified",
      candidates,
      classification,
      mode: settings.autoSupersedeMode,
      modelCalls: usage.calls("classify"),
      superseded: skippedReason === null ? superseded : null,
      skippedReason,
    };
  }

  async function findCandidates(
    fact: NewFact,
    earlierFacts: readonly NewFact[],
  ): Promise<Memory[]> {
    const { memory } = fact;
    const vector = retrievalVector(fact);
    const stored = await findSimilarMemories(context.db, {
      companyId: caller.companyId,
      tenantId: memory.tenantId,
      sources: null,
      validFromAtMost: memory.validFrom,
      now: memory.createdAt,
      vector,
      limit: MAX_SUPERSESSION_CANDIDATES + supersededIds.size,
    });
    if (stored === null) throw embeddingModelReplaced();
    const ofThisRequest: SimilarMemory[] = earlierFacts.map((earlier) => ({
      memory: earlier.memory,
      similarity: cosine(retrievalVector(earlier).vector, vector.vector),
    }));
    return [...stored, ...ofThisRequest]
      .filter(({ similarity }) => similarity >= MIN_CANDIDATE_SIMILARITY)
      .filter(({ memory }) => !supersededIds.has(memory.id))
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, MAX_SUPERSESSION_CANDIDATES)
      .map(({ memory }) => memory)
      .filter((candidate) => gate.excludedCategory(candidate) === null);
  }

  async function classify(
    fact: Memory,
    candidates: readonly Memory[],
    report: ReportUsage,
  ): Promise<Classification | null> {
    try {
      const input = { fact, candidates, model: settings.classifierModel };
      return believable(await context.classifier.classify(input, signal, report));
    } catch (err) {
      context.log.warn({ err }, "the supersession classifier failed");
      return null;
    }
  }
}

/** What a model returns is untrusted: a confidence out of range is none. */
function believable(classification: Classification): Classification {
  const { confidence } = classification;
  return { ...classification, confidence: confidence >= 0 && confidence <= 1 ? confidence : 0 };
}

function skipped(reason: SkippedReason): FactVerdict {
  return { kind: "skipped", outcome: notRun(reason) };
}

function retrievalVector({ vectors: [vector] }: NewFact): SpaceVector {
  if (vector === undefined) throw new Error("a fact has no vector");
  return vector;
}

/** Vectors are of unit length, so that the dot product is the cosine. */
function cosine(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
