import { mapConcurrently } from "../concurrency/map-concurrently.ts";
import type { JsonValue } from "../domain/audit-event.ts";
import {
  type Candidate,
  type Classification,
  chooseCandidates,
  isRepetition,
  judge,
  notAsked,
  reasonNotToAsk,
  type SkippedReason,
  type Verdict,
  withRepeats,
} from "../domain/auto-supersession.ts";
import { type CategoryGate, createCategoryGate } from "../domain/category-gate.ts";
import { canEnd } from "../domain/identity.ts";
import type { MemoryId } from "../domain/ids.ts";
import { isAutoSuperseding } from "../domain/memory-write.ts";
import type { Settings } from "../domain/settings.ts";
import { asTheUser } from "../domain/user-name.ts";
import type { ModelCall } from "../providers/model-call.ts";
import type { ClassificationInput } from "../providers/supersession-classifier.ts";
import { embeddingModelReplaced } from "../storage/embedding-spaces.ts";
import type { Caller, MemoryContext } from "./context.ts";
import type { EmbeddedStatement } from "./embed-facts.ts";
import { findExcluded } from "./excluded-memories.ts";
import {
  type ComparedStatement,
  findCandidates,
  groupsOf,
  storedCandidates,
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
  const near = await findCandidates(context, caller, tenantId, asked, statements, client);
  const stored = await findExcluded(context, caller, gate, storedCandidates(near), client);
  const excluded = new Set([...excludedFacts.keys(), ...stored.keys()]);
  const judged = await mapConcurrently(
    groupsOf(near),
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
  for (const { fact, near, userName } of group) {
    models.client.throwIfAborted();
    const candidates = chooseCandidates(near, excludedIds, endedIds);
    const named = candidates.map((candidate) => underOneName(candidate, userName));
    const statement = await judgeStatement(
      context,
      { fact, decision: underOneName(fact.memory, userName).decision },
      named,
      settings,
      models,
    );
    for (const { candidate } of statement.verdict.superseded) endedIds.add(candidate.id);
    judged.push(statement);
  }
  return judged;
}

/** So that "Bob lives in Rome" and "The user moved to Oslo" are seen to be of one person. */
function underOneName<Fact extends { readonly decision: string }>(
  fact: Fact,
  userName: string | null,
): Fact {
  return userName === null ? fact : { ...fact, decision: asTheUser(fact.decision, userName) };
}

/**
 * A repetition in the same words needs no classifier, and what the fact cannot end is never
 * shown to it (D23b).
 */
async function judgeStatement(
  context: MemoryContext,
  { fact: statement, decision }: { readonly fact: EmbeddedStatement; readonly decision: string },
  candidates: readonly Candidate[],
  { classifierModel: model, minConfidence }: Settings,
  models: RequestModels,
): Promise<JudgedStatement> {
  const { memory, statedAt, retractedBy } = statement;
  const [repeats, others] = partition(candidates, (candidate) =>
    isRepetition(candidate.decision, decision),
  );
  if (others.length === 0) {
    const { verdict, ...rest } = withoutCall(statement, "no_candidates");
    return { ...rest, verdict: withRepeats(verdict, repeats) };
  }
  const possible = others.filter((candidate) => canEnd(decision, candidate.decision));
  if (possible.length === 0) {
    const verdict = { ...notAsked("not_superseding"), candidates: others };
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

function partition<T>(list: readonly T[], isFirst: (entry: T) => boolean): [T[], T[]] {
  return [list.filter(isFirst), list.filter((entry) => !isFirst(entry))];
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
