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
  withRepeats,
} from "../domain/auto-supersession.ts";
import { type CategoryGate, createCategoryGate } from "../domain/category-gate.ts";
import type { MemoryId } from "../domain/ids.ts";
import { isAutoSuperseding } from "../domain/memory-write.ts";
import type { Settings } from "../domain/settings.ts";
import type { ModelCall } from "../providers/model-call.ts";
import type { ClassificationInput } from "../providers/supersession-classifier.ts";
import { embeddingModelReplaced } from "../storage/embedding-spaces.ts";
import { findVectors } from "../storage/memory-vectors.ts";
import type { Caller, MemoryContext } from "./context.ts";
import type { EmbeddedStatement } from "./embed-facts.ts";
import { findExcluded } from "./excluded-memories.ts";
import {
  type ComparedCandidate,
  type ComparedStatement,
  concernedMemories,
  findCandidates,
  groupsOf,
} from "./find-candidates.ts";
import type { RequestModels } from "./model-calls.ts";

/** A statement with what was decided about it before anything is stored. */
export interface JudgedStatement extends EmbeddedStatement {
  readonly verdict: Verdict;
  /** The calls of the classifier that it took, for the history. */
  readonly classifyCalls: readonly JsonValue[];
}

/** Calls of the classifier for one write at a time. */
const MAX_CALLS_AT_ONCE = 8;

/**
 * Decides for each statement, in order, which current memories of its tenant it ends (D23 to
 * D25a): the category gate, the candidates, one call of the classifier, the confidence bar.
 * Nothing is stored, and a classifier that fails makes the statement one that ends nothing.
 * Throws `model_unavailable` when the embedding model was replaced meanwhile.
 */
export async function judgeStatements(
  context: MemoryContext,
  caller: Caller,
  statements: readonly EmbeddedStatement[],
  settings: Settings,
  models: RequestModels,
): Promise<JudgedStatement[]> {
  const judged = new Map<MemoryId, JudgedStatement>();
  for (const [tenantId, ofTenant] of Map.groupBy(statements, ({ memory }) => memory.tenantId)) {
    const isOn = ofTenant.some((statement) => isAutoSuperseding(statement, settings));
    const decided = isOn
      ? await judgeOfTenant(context, caller, tenantId, ofTenant, settings, models)
      : ofTenant.map((statement) => withoutCall(statement, "disabled"));
    for (const statement of decided) judged.set(statement.memory.id, statement);
  }
  return statements.flatMap(({ memory }) => judged.get(memory.id) ?? []);
}

/**
 * Later statements see earlier facts as candidates; those that share no candidate are
 * decided side by side.
 */
async function judgeOfTenant(
  context: MemoryContext,
  caller: Caller,
  tenantId: string | null,
  statements: readonly EmbeddedStatement[],
  settings: Settings,
  models: RequestModels,
): Promise<JudgedStatement[]> {
  const { client } = models;
  const gate = await gateOf(context, settings, statements);
  const shown = statements.map(({ memory, category, vectors: [{ vector }] }) => ({
    ...memory,
    category,
    vector,
  }));
  const excludedFacts = await findExcluded(context, caller, gate, shown, client);
  const skipped = statements.flatMap((statement) => {
    const isOn = isAutoSuperseding(statement, settings);
    const reason = isOn ? reasonNotToAsk(statement.memory, excludedFacts) : "disabled";
    const category = excludedFacts.get(statement.memory.id);
    return reason === null ? [] : withoutCall(statement, reason, category);
  });
  const skippedIds = new Set(skipped.map(({ memory }) => memory.id));
  const asked = statements.filter(({ memory }) => !skippedIds.has(memory.id));
  const compared = await findCandidates(context, caller, tenantId, asked, statements, client);
  const stored = await excludedCandidates(context, caller, gate, compared, client);
  const excluded = new Set([...excludedFacts.keys(), ...stored]);
  const judged = await mapConcurrently(
    groupsOf(compared),
    MAX_CALLS_AT_ONCE,
    (group) => judgeGroup(context, group, excluded, settings, models),
    client,
  );
  const byId = new Map([...skipped, ...judged.flat()].map((each) => [each.memory.id, each]));
  return statements.map(({ memory }) => {
    const statement = byId.get(memory.id);
    if (statement === undefined) throw new Error("A statement was not judged");
    return statement;
  });
}

/** The stored candidates in an excluded category, and those that were erased meanwhile. */
async function excludedCandidates(
  context: MemoryContext,
  caller: Caller,
  gate: CategoryGate,
  compared: readonly ComparedStatement[],
  client: AbortSignal,
): Promise<MemoryId[]> {
  const spaceId = compared[0]?.fact.vectors[0].spaceId;
  if (spaceId === undefined) return [];
  const concerned = concernedMemories(compared);
  const ids = concerned.map(({ id }) => id);
  const vectors = await findVectors(caller.db, spaceId, ids);
  const shown = concerned.flatMap((each) => {
    const vector = vectors.get(each.id);
    return vector === undefined ? [] : { ...each, vector };
  });
  const excluded = await findExcluded(context, caller, gate, shown, client);
  return [...ids.filter((id) => !vectors.has(id)), ...excluded.keys()];
}

/** Throws `model_unavailable` when the embedding model was replaced meanwhile. */
async function gateOf(
  context: MemoryContext,
  { excludedCategories }: Settings,
  [statement]: readonly EmbeddedStatement[],
): Promise<CategoryGate> {
  const spaceId = statement?.vectors[0].spaceId;
  const active = context.embedders.find((each) => each.spaceId === spaceId);
  if (active === undefined) throw embeddingModelReplaced();
  return createCategoryGate(excludedCategories, await context.categoryExamples.nearnessIn(active));
}

/** The verdict on a statement for which the classifier is not asked. */
function withoutCall(
  statement: EmbeddedStatement,
  reason: SkippedReason,
  category?: string,
): JudgedStatement {
  return { ...statement, verdict: notAsked(reason, category), classifyCalls: [] };
}

async function judgeGroup(
  context: MemoryContext,
  group: readonly ComparedStatement[],
  excludedIds: ReadonlySet<MemoryId>,
  settings: Settings,
  models: RequestModels,
): Promise<JudgedStatement[]> {
  const endedIds = new Set<MemoryId>();
  const judged: JudgedStatement[] = [];
  for (const compared of group) {
    models.client.throwIfAborted();
    const candidates = chooseCandidates(compared.near, excludedIds, endedIds);
    const statement = await judgeStatement(context, compared, candidates, settings, models);
    for (const { candidate } of statement.verdict.superseded) endedIds.add(candidate.id);
    judged.push(statement);
  }
  return judged;
}

/**
 * A repetition in the same words needs no classifier, and what the fact cannot end is never
 * shown to it (D23b).
 */
async function judgeStatement(
  context: MemoryContext,
  { fact: statement, decision }: ComparedStatement,
  chosen: readonly ComparedCandidate[],
  { classifierModel: model, minConfidence }: Settings,
  models: RequestModels,
): Promise<JudgedStatement> {
  const { memory, statedAt, retractedBy } = statement;
  const candidatesOf = (list: readonly ComparedCandidate[]) =>
    list.map(({ candidate }) => candidate);
  const repeats = candidatesOf(chosen.filter(({ isRepeated }) => isRepeated));
  const compared = chosen.filter(({ isRepeated }) => !isRepeated);
  const others = candidatesOf(compared);
  const possible = candidatesOf(compared.filter(({ isConcerned }) => isConcerned));
  if (possible.length === 0) {
    const reason = others.length === 0 ? "no_candidates" : "not_superseding";
    const verdict = { ...notAsked(reason), candidates: others };
    return { ...statement, verdict: withRepeats(verdict, repeats), classifyCalls: [] };
  }
  const usage = models.usage.step();
  const isRetraction = retractedBy !== null;
  const input = {
    fact: { ...memory, decision, statedAt },
    isRetraction,
    candidates: possible,
    model,
  };
  const call = usage.modelCall(memory.companyId, models.signal);
  const classification = await classify(context, input, models, call);
  const verdict = judge(possible, classification, minConfidence);
  const examined = { ...verdict, candidates: others };
  return {
    ...statement,
    verdict: withRepeats(examined, repeats),
    classifyCalls: usage.calls("classify"),
  };
}

/** null: the classifier failed, which never fails the write (D25). A client that left does. */
async function classify(
  { classifier, log }: MemoryContext,
  input: ClassificationInput,
  { client }: RequestModels,
  call: ModelCall,
): Promise<Classification | null> {
  try {
    return await classifier.classify(input, call);
  } catch (err) {
    client.throwIfAborted();
    log.warn({ err }, "the supersession classifier failed");
    return null;
  }
}
