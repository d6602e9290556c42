import type { JsonValue } from "../domain/audit-event.ts";
import {
  type Candidate,
  type Classification,
  chooseCandidates,
  judge,
  notAsked,
  reasonNotToAsk,
  type Verdict,
} from "../domain/auto-supersession.ts";
import { type CategoryGate, createCategoryGate } from "../domain/category-gate.ts";
import { Failure } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import { MAX_SUPERSESSION_CANDIDATES, MIN_CANDIDATE_SIMILARITY } from "../domain/limits.ts";
import type { Memory } from "../domain/memory.ts";
import type { Settings } from "../domain/settings.ts";
import { zip } from "../domain/zip.ts";
import type { ReportUsage } from "../providers/model-call.ts";
import { findCandidates, type RankedCandidate } from "../storage/memory-vectors.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { startUsageLog } from "./model-calls.ts";
import type { EmbeddedFact, MemoryWrite } from "./prepare-facts.ts";

/** A fact with what was decided about it before anything is stored. */
export interface JudgedFact extends EmbeddedFact {
  readonly verdict: Verdict;
  /** The calls of the classifier that it took, for the history. */
  readonly classifyCalls: readonly JsonValue[];
}

/**
 * Candidates that are fetched for each fact: some of them may be ended by earlier
 * facts of the same write, and the fact then has others.
 */
const FETCHED_CANDIDATES = 2 * MAX_SUPERSESSION_CANDIDATES;

/** Calls of the classifier for one write at a time. */
const MAX_CALLS_AT_ONCE = 8;

/**
 * Decides for each new fact, in order, which current memory it replaces (D23 to
 * D25): the category gate, the candidates, one call of the classifier, the
 * confidence bar. Later facts see earlier ones as candidates; facts that share no
 * candidate are decided side by side. Nothing is stored, and a classifier that
 * fails makes the fact one that replaces nothing.
 */
export async function classifyFacts(
  context: MemoryContext,
  caller: Caller,
  write: MemoryWrite,
  facts: readonly EmbeddedFact[],
  settings: Settings,
  signal: AbortSignal,
): Promise<JudgedFact[]> {
  const judged = new Map<EmbeddedFact, JudgedFact>();
  const skip = (fact: EmbeddedFact, verdict: Verdict) =>
    judged.set(fact, { ...fact, verdict, classifyCalls: [] });
  if (!(write.autoSupersede ?? settings.autoSupersedeDefault)) {
    for (const fact of facts) skip(fact, notAsked("disabled"));
  } else {
    const gate = createCategoryGate(settings.excludedCategories);
    const asked = facts.filter((fact) => {
      const reason = reasonNotToAsk(fact.memory, gate);
      if (reason !== null) skip(fact, notAsked(reason));
      return reason === null;
    });
    const near = await findNear(context, caller, write, asked, facts);
    const groups = groupsOf(near);
    const inTurn = async () => {
      for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
        await judgeGroup(context, group, gate, settings, signal, judged);
      }
    };
    await Promise.all(Array.from({ length: MAX_CALLS_AT_ONCE }, inTurn));
  }
  return facts.map((fact) => {
    const result = judged.get(fact);
    if (result === undefined) throw new Error("A fact was not judged");
    return result;
  });
}

/** A fact and all that is near to it: stored memories, and earlier facts of the same write. */
interface NearFact {
  readonly fact: EmbeddedFact;
  readonly near: readonly RankedCandidate[];
}

async function findNear(
  context: MemoryContext,
  { companyId }: Caller,
  { tenantId }: MemoryWrite,
  asked: readonly EmbeddedFact[],
  all: readonly EmbeddedFact[],
): Promise<NearFact[]> {
  const stored = await findCandidates(context.db, {
    companyId,
    tenantId,
    now: context.now(),
    facts: asked.map(({ memory, vectors: [vector] }) => ({
      vector,
      validFromAtMost: memory.validFrom,
    })),
    limit: FETCHED_CANDIDATES,
    minSimilarity: MIN_CANDIDATE_SIMILARITY,
  });
  return zip(asked, stored).map(([fact, candidates]) => ({
    fact,
    near: [...candidates, ...earlierFacts(fact, all)],
  }));
}

function earlierFacts(fact: EmbeddedFact, all: readonly EmbeddedFact[]): RankedCandidate[] {
  const [{ vector }] = fact.vectors;
  return all
    .slice(0, all.indexOf(fact))
    .map(({ memory, vectors: [earlier] }) => ({
      candidate: memory,
      similarity: cosine(earlier.vector, vector),
    }))
    .filter(({ similarity }) => similarity >= MIN_CANDIDATE_SIMILARITY);
}

/** Vectors are of unit length, so that the dot product is the cosine. */
function cosine(a: readonly number[], b: readonly number[]): number {
  return zip(a, b).reduce((sum, [x, y]) => sum + x * y, 0);
}

/**
 * The facts in groups, each in order, so that no two groups share a candidate and
 * none has a candidate in another: what one decides then changes nothing for another.
 */
function groupsOf(facts: readonly NearFact[]): NearFact[][] {
  const groups = new Set<{ readonly ids: Set<MemoryId>; readonly facts: NearFact[] }>();
  for (const fact of facts) {
    const ids = new Set([fact.fact.memory.id, ...fact.near.map(({ candidate }) => candidate.id)]);
    const merged: NearFact[] = [];
    for (const group of groups) {
      if (group.ids.isDisjointFrom(ids)) continue;
      groups.delete(group);
      merged.push(...group.facts);
      for (const id of group.ids) ids.add(id);
    }
    merged.sort((a, b) => facts.indexOf(a) - facts.indexOf(b));
    groups.add({ ids, facts: [...merged, fact] });
  }
  return [...groups].map((group) => group.facts);
}

async function judgeGroup(
  context: MemoryContext,
  group: readonly NearFact[],
  gate: CategoryGate,
  settings: Settings,
  signal: AbortSignal,
  judged: Map<EmbeddedFact, JudgedFact>,
): Promise<void> {
  const endedIds = new Set<MemoryId>();
  for (const { fact, near } of group) {
    const candidates = chooseCandidates(near, gate, endedIds);
    if (candidates.length === 0) {
      judged.set(fact, { ...fact, verdict: notAsked("no_candidates"), classifyCalls: [] });
      continue;
    }
    const usage = startUsageLog(context);
    const classification = await classify(
      context,
      fact.memory,
      candidates,
      settings.classifierModel,
      signal,
      usage.report,
    );
    const verdict = judge(candidates, classification, settings.minConfidence);
    if (verdict.superseded !== null) endedIds.add(verdict.superseded.id);
    judged.set(fact, { ...fact, verdict, classifyCalls: usage.calls("classify") });
  }
}

/** null: the classifier failed, which never fails the write (D25). A client that left does. */
async function classify(
  context: MemoryContext,
  fact: Memory,
  candidates: readonly Candidate[],
  model: string,
  signal: AbortSignal,
  report: ReportUsage,
): Promise<Classification | null> {
  try {
    return await context.classifier.classify({ fact, candidates, model }, signal, report);
  } catch (err) {
    // A deadline aborts with a Failure, the end of a call with something else.
    if (signal.aborted && !(signal.reason instanceof Failure)) throw err;
    context.log.warn({ err }, "the supersession classifier failed");
    return null;
  }
}
