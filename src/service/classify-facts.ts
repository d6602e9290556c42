import { mapConcurrently } from "../concurrency/map-concurrently.ts";
import type { JsonValue } from "../domain/audit-event.ts";
import {
  type Classification,
  chooseCandidates,
  judge,
  notAsked,
  reasonNotToAsk,
  type SkippedReason,
  type Verdict,
} from "../domain/auto-supersession.ts";
import { type CategoryGate, createCategoryGate } from "../domain/category-gate.ts";
import type { MemoryId } from "../domain/ids.ts";
import { MAX_SUPERSESSION_CANDIDATES, MIN_CANDIDATE_SIMILARITY } from "../domain/limits.ts";
import type { Settings } from "../domain/settings.ts";
import { zip } from "../domain/zip.ts";
import type { ReportUsage } from "../providers/model-call.ts";
import type { ClassificationInput } from "../providers/supersession-classifier.ts";
import { embeddingModelReplaced } from "../storage/embedding-spaces.ts";
import { findCandidates, type RankedCandidate } from "../storage/memory-vectors.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { type ModelDeadline, startUsageLog } from "./model-calls.ts";
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
 * fails makes the fact one that replaces nothing. Throws `model_unavailable` when the
 * embedding model was replaced meanwhile.
 */
export async function classifyFacts(
  context: MemoryContext,
  caller: Caller,
  write: MemoryWrite,
  facts: readonly EmbeddedFact[],
  settings: Settings,
  deadline: ModelDeadline,
): Promise<JudgedFact[]> {
  const isOn = write.autoSupersede ?? settings.autoSupersedeDefault;
  if (!isOn) return facts.map((fact) => withoutCall(fact, "disabled"));

  const gate = createCategoryGate(settings.excludedCategories);
  const skipped = facts.flatMap((fact) => {
    const reason = reasonNotToAsk(fact.memory, gate);
    return reason === null ? [] : withoutCall(fact, reason);
  });
  const skippedIds = new Set(skipped.map(({ memory }) => memory.id));
  const asked = facts.filter(({ memory }) => !skippedIds.has(memory.id));
  const groups = groupsOf(await findNear(context, caller, write, asked, facts));
  const judged = await mapConcurrently(
    groups,
    MAX_CALLS_AT_ONCE,
    (group) => judgeGroup(context, group, gate, settings, deadline),
    deadline.client,
  );
  const byId = new Map([...skipped, ...judged.flat()].map((fact) => [fact.memory.id, fact]));
  return facts.map(({ memory }) => {
    const fact = byId.get(memory.id);
    if (fact === undefined) throw new Error("A fact was not judged");
    return fact;
  });
}

function withoutCall(fact: EmbeddedFact, reason: SkippedReason): JudgedFact {
  return { ...fact, verdict: notAsked(reason), classifyCalls: [] };
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
  if (stored === null) throw embeddingModelReplaced();
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

/**
 * Vectors are of unit length, so that the dot product is the cosine. A plain loop: it
 * runs for each pair of facts of a write.
 */
function cosine(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) throw new Error("Vectors of one space are of one length");
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/**
 * The facts in groups, each in order, so that no two groups share a candidate and
 * none has a candidate in another: what one decides then changes nothing for another.
 */
function groupsOf(facts: readonly NearFact[]): NearFact[][] {
  const groups = new Set<{ readonly ids: Set<MemoryId>; readonly facts: NearFact[] }>();
  for (const fact of facts) {
    const ids = new Set([fact.fact.memory.id, ...fact.near.map(({ candidate }) => candidate.id)]);
    const merged = new Set([fact]);
    for (const group of groups) {
      if (group.ids.isDisjointFrom(ids)) continue;
      groups.delete(group);
      for (const other of group.facts) merged.add(other);
      for (const id of group.ids) ids.add(id);
    }
    groups.add({ ids, facts: facts.filter((each) => merged.has(each)) });
  }
  return [...groups].map((group) => group.facts);
}

async function judgeGroup(
  context: MemoryContext,
  group: readonly NearFact[],
  gate: CategoryGate,
  { classifierModel, minConfidence }: Settings,
  deadline: ModelDeadline,
): Promise<JudgedFact[]> {
  const endedIds = new Set<MemoryId>();
  const judged: JudgedFact[] = [];
  for (const { fact, near } of group) {
    const candidates = chooseCandidates(near, gate, endedIds);
    if (candidates.length === 0) {
      judged.push(withoutCall(fact, "no_candidates"));
      continue;
    }
    const usage = startUsageLog(context);
    const input = { fact: fact.memory, candidates, model: classifierModel };
    const classification = await classify(context, input, deadline, usage.report);
    const verdict = judge(candidates, classification, minConfidence);
    if (verdict.superseded !== null) endedIds.add(verdict.superseded.id);
    judged.push({ ...fact, verdict, classifyCalls: usage.calls("classify") });
  }
  return judged;
}

/** null: the classifier failed, which never fails the write (D25). A client that left does. */
async function classify(
  { classifier, log }: MemoryContext,
  input: ClassificationInput,
  { signal, client }: ModelDeadline,
  report: ReportUsage,
): Promise<Classification | null> {
  try {
    return await classifier.classify(input, signal, report);
  } catch (err) {
    client.throwIfAborted();
    log.warn({ err }, "the supersession classifier failed");
    return null;
  }
}
