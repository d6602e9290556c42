import { userNameIn } from "@agent-memory/text";
import { mapConcurrently } from "../concurrency/bounds.ts";
import { giveWay } from "../concurrency/loop-turns.ts";
import { asTheUser, attributesUnderNames, endsOf } from "../domain/attribute.ts";
import type { JsonValue } from "../domain/audit-event.ts";
import {
  type Classification,
  candidateBar,
  chooseCandidates,
  groupsOf,
  isNewerThan,
  judge,
  notAsked,
  type RankedCandidate,
  reasonNotToAsk,
  type SkippedReason,
  spellingOf,
  type Verdict,
  withRepeats,
} from "../domain/auto-supersession.ts";
import {
  type CategoryGate,
  createCategoryGate,
  type GatedMemory,
} from "../domain/category-gate.ts";
import { cosine } from "../domain/embedding.ts";
import type { MemoryId } from "../domain/ids.ts";
import { MAX_SUPERSESSION_CANDIDATES } from "../domain/limits.ts";
import { isAutoSuperseding, type MemoryWrite } from "../domain/memory-write.ts";
import { zip } from "../domain/zip.ts";
import type { ModelCall } from "../providers/model-call.ts";
import type { ClassificationInput } from "../providers/supersession-classifier.ts";
import {
  findCandidates,
  findVectors,
  type JudgementBasis,
  openingOf,
  type StoredCandidate,
} from "../storage/candidates.ts";
import { embeddingModelReplaced } from "../storage/embedding-spaces.ts";
import type { MemoryValues } from "../storage/memory-row.ts";
import type { Caller, MemoryContext, SpaceEmbedder } from "./context.ts";
import type { EmbeddedDocument } from "./embeddings.ts";
import { type RequestModels, UsageLog } from "./model-calls.ts";
import type { Writer } from "./plan.ts";

/** One run of a write: who writes what, by which plan and settings, with which models. */
export interface WriteRun {
  readonly context: MemoryContext;
  readonly caller: Caller;
  readonly write: MemoryWrite;
  readonly writer: Writer;
  /** The same writer as `confirmWriter` says, read once. */
  readonly confirmed: () => Promise<Writer>;
  readonly models: RequestModels;
}

/** A statement as the memory that it becomes, or would become, with what it is found by. */
export interface EmbeddedStatement extends EmbeddedDocument, MemoryValues {
  /** Whether it is to supersede others; null: as the settings say. */
  readonly autoSupersede: boolean | null;
  /** The model calls that it took to find and embed the write's facts, for the history. */
  readonly modelCalls: { readonly extract: JsonValue[]; readonly embed: JsonValue[] };
  /** The message that takes it back, counted from 0; null: it is a fact. */
  readonly retractedBy: number | null;
}

/** A statement with what was decided about it before anything is stored. */
export interface JudgedStatement extends EmbeddedStatement {
  readonly verdict: Verdict;
  /** The calls of the classifier that it took, for the history. */
  readonly classifyCalls: readonly JsonValue[];
}

/** Calls of the classifier for one write at a time. */
const MAX_CALLS_AT_ONCE = 8;
/** Of several facts, each has more candidates: some may be ended by earlier facts. */
const CANDIDATES_OF_SEVERAL = 2 * MAX_SUPERSESSION_CANDIDATES;

// What is done in one slot of the event loop: a few milliseconds of each.
const MAX_CHARACTERS_PER_TURN = 32 * 1024;
/** Memories that are compared with all examples. */
const MAX_COMPARED_PER_TURN = 25;
/** Memories that a fact is compared with. */
const MAX_READ_PER_TURN = 100;
/** Numbers of vectors that are multiplied. */
const MAX_PRODUCTS_PER_TURN = 2_000_000;

/**
 * Decides for each statement, in order, which current memories of its tenant it ends (D23 to
 * D25a): the category gate, the candidates, one call of the classifier, the confidence bar.
 * Nothing is stored, and a classifier that fails makes the statement one that ends nothing.
 * `basis`: what must still be so when they are stored. Throws `model_unavailable` when the
 * embedding model was replaced meanwhile.
 */
export async function judgeStatements(run: WriteRun, statements: readonly EmbeddedStatement[]) {
  const byId = new Map<MemoryId, JudgedStatement>();
  const basis: JudgementBasis[] = [];
  for (const ofTenant of Map.groupBy(statements, ({ memory }) => memory.tenantId).values()) {
    const { judged, basis: ofTheirs } = await judgeOfTenant(run, ofTenant);
    for (const each of judged) byId.set(each.memory.id, each);
    basis.push(...ofTheirs);
  }
  if (byId.size < statements.length) throw new Error("A statement was not judged");
  return { judged: statements.flatMap(({ memory }) => byId.get(memory.id) ?? []), basis };
}

/**
 * Later statements see earlier facts as candidates; those that share no candidate are
 * decided side by side.
 */
async function judgeOfTenant(
  run: WriteRun,
  statements: readonly EmbeddedStatement[],
): Promise<{ judged: readonly JudgedStatement[]; basis: readonly JudgementBasis[] }> {
  const { context, writer, models } = run;
  const { settings } = writer;
  const isOn = (statement: EmbeddedStatement) => isAutoSuperseding(statement, settings);
  if (!statements.some(isOn)) {
    return { judged: statements.map((each) => withoutCall(each, "disabled")), basis: [] };
  }
  const spaceId = statements[0]?.vectors[0].spaceId;
  const active = context.embedders.find((each) => each.spaceId === spaceId);
  if (active === undefined) throw embeddingModelReplaced();
  const examples = await context.categoryExamples.nearnessIn(active);
  const gate = createCategoryGate(settings.excludedCategories, examples);
  const shown = statements.map(({ memory, category, vectors: [{ vector }] }) => ({
    ...memory,
    category,
    vector,
  }));
  const reasonToSkip = (each: EmbeddedStatement, excluded: ReadonlyMap<MemoryId, string>) =>
    isOn(each) ? reasonNotToAsk(each.memory, excluded) : "disabled";
  const possible = statements.filter((each) => reasonToSkip(each, new Map()) === null);
  // The gate reads the facts while the database looks for their candidates: that is sent first.
  const [found, excludedFacts] = await Promise.all([
    compareAll(run, active, possible, statements),
    giveWay(models.client).then(() => findExcluded(run, gate, shown)),
  ]);
  const skipped = statements.flatMap((each) => {
    const reason = reasonToSkip(each, excludedFacts);
    return reason === null ? [] : withoutCall(each, reason, excludedFacts.get(each.memory.id));
  });
  const compared = found.compared.filter(({ fact }) => !excludedFacts.has(fact.memory.id));
  const excludedStored = await findExcludedStored(run, gate, active, compared);
  const excluded = new Set([...excludedFacts.keys(), ...excludedStored]);
  const groups = groupsOf(compared);
  const judged = await mapConcurrently(
    groups,
    MAX_CALLS_AT_ONCE,
    (group) => judgeGroup(run, group, excluded, groups.length > 1),
    models.client,
  );
  return { judged: [...skipped, ...judged.flat()], basis: found.basis };
}

/**
 * The memories in an excluded category, each with it (D24). Each text is read, and each vector
 * compared, once, and in between others get their turn. Rejects when the client has left.
 */
async function findExcluded(
  { context, caller, models }: WriteRun,
  gate: CategoryGate,
  memories: readonly (GatedMemory & { readonly id: MemoryId })[],
): Promise<ReadonlyMap<MemoryId, string>> {
  const categories = await context.loopTurns.map(
    caller.companyId,
    memories,
    ({ decision }) => decision.length / MAX_CHARACTERS_PER_TURN + 1 / MAX_COMPARED_PER_TURN,
    ({ id, ...memory }) => ({ id, category: gate(memory) }),
    models.client,
  );
  return new Map(categories.flatMap(({ id, category }) => (category ? [[id, category]] : [])));
}

/**
 * The stored candidates that no classifier may see. The gate needs the vectors of those alone that
 * a fact can end. Meanwhile the writer is confirmed, which a classifier waits for.
 */
async function findExcludedStored(
  run: WriteRun,
  gate: CategoryGate,
  { spaceId }: SpaceEmbedder,
  compared: readonly ComparedStatement[],
): Promise<MemoryId[]> {
  const concerned = new Map(
    compared.flatMap(({ near }) =>
      near
        .filter(isCompared)
        .flatMap(({ candidate, category, isConcerned }) =>
          isConcerned && category !== undefined ? [[candidate.id, { ...candidate, category }]] : [],
        ),
    ),
  );
  if (concerned.size === 0) return [];
  const ids = [...concerned.keys()];
  const finding = findVectors(run.caller.db, spaceId, ids);
  const [vectors] = await Promise.all([finding, run.confirmed()]);
  const found = ids.flatMap((id) => {
    const [memory, vector] = [concerned.get(id), vectors.get(id)];
    return memory === undefined || vector === undefined ? [] : { ...memory, vector };
  });
  const excluded = await findExcluded(run, gate, found);
  // What was erased meanwhile is shown to nobody.
  return ids.filter((id) => excluded.has(id) || !vectors.has(id));
}

/** A statement and all that may be about the same. */
interface ComparedStatement {
  readonly fact: EmbeddedStatement;
  /** What it says, with the user under one name. */
  readonly decision: string;
  /** Stored memories, compared, and earlier facts of the same write. */
  readonly near: readonly FoundCandidate[];
  /** Of the earlier facts, which are many, those alone are compared that are chosen. */
  readonly compare: (each: FoundCandidate) => ComparedCandidate;
}

/** What the gate needs is of stored ones alone: it has seen the facts of the write. */
type FoundCandidate = RankedCandidate & Partial<Pick<StoredCandidate, "category">>;

/** A candidate, with the user under the same name. */
interface ComparedCandidate extends FoundCandidate {
  /** It says the same in the same words. */
  readonly isRepeated: boolean;
  /** The fact can end it (D23b), or repeats it: what is neither concerns no gate and no model. */
  readonly isConcerned: boolean;
}

const isCompared = (each: FoundCandidate): each is ComparedCandidate => "isConcerned" in each;

/**
 * Finds what is near to each of the statements `asked` of `all` in one write, or about the
 * same attribute of the same subject. Throws as `judgeStatements` does.
 */
async function compareAll(
  { context: { loopTurns, now }, caller: { db, companyId }, models }: WriteRun,
  active: SpaceEmbedder,
  asked: readonly EmbeddedStatement[],
  all: readonly EmbeddedStatement[],
): Promise<{ compared: ComparedStatement[]; basis: readonly JudgementBasis[] }> {
  const [first] = asked;
  if (first === undefined) return { compared: [], basis: [] };
  const minSimilarity = candidateBar(active.embedder.space);
  const limit = asked.length > 1 ? CANDIDATES_OF_SEVERAL : MAX_SUPERSESSION_CANDIDATES;
  const { tenantId, createdAt: writtenAt } = first.memory;
  const search = { tenantId, now: now(), writtenAt, limit, minSimilarity };
  const findUnder = async (name: string | null) => {
    const facts = asked.map(({ memory, statedAt, attribute, vectors: [vector] }) => {
      const attributes = attributesUnderNames(attribute, name);
      const opening = attribute === null ? openingOf(memory.decision) : null;
      return { vector, attributes, opening, statedAtMost: statedAt };
    });
    const found = await findCandidates(db, { ...search, facts });
    if (found === null) throw embeddingModelReplaced();
    return found;
  };
  let found = await findUnder(null);
  const userName = userNameIn([...found.naming, ...all.map(({ memory }) => memory.decision)]);
  const isTwofold = ({ attribute }: EmbeddedStatement) =>
    attributesUnderNames(attribute, userName).length > 1;
  if (asked.some(isTwofold)) found = await findUnder(userName);
  const earlierThan = (fact: EmbeddedStatement) =>
    all
      .slice(0, all.indexOf(fact))
      .filter((other) => other.retractedBy === null && !isNewerThan(fact, other));
  const compared = await loopTurns.map(
    companyId,
    zip(asked, found.ofFacts),
    ([fact, stored]) => {
      const [{ vector }] = fact.vectors;
      const products = (all.indexOf(fact) * vector.length) / MAX_PRODUCTS_PER_TURN;
      return products + stored.reduce((sum, each) => sum + comparisonShare(each), 0);
    },
    ([fact, stored]) => {
      const earlier = nearOf(fact, earlierThan(fact), minSimilarity, userName);
      const comparison = comparisonWith(fact, userName);
      return { fact, ...comparison, near: [...stored.map(comparison.compare), ...earlier] };
    },
    models.client,
  );
  return { compared, basis: found.basis };
}

/** The share of a turn that it takes to compare a fact with it. */
function comparisonShare({ candidate }: RankedCandidate): number {
  return candidate.decision.length / MAX_CHARACTERS_PER_TURN + 1 / MAX_READ_PER_TURN;
}

/** `userName`: so that "Bob lives in Rome" and "The user moved to Oslo" are seen to be of one person. */
function comparisonWith({ memory }: EmbeddedStatement, userName: string | null) {
  const underOneName = (text: string) => (userName === null ? text : asTheUser(text, userName));
  const decision = underOneName(memory.decision);
  const canEnd = endsOf(decision);
  const spelling = spellingOf(decision);
  const compare = (each: FoundCandidate): ComparedCandidate => {
    const older = underOneName(each.candidate.decision);
    const isRepeated = spellingOf(older) === spelling;
    const isConcerned = isRepeated || canEnd(older);
    return { ...each, candidate: { ...each.candidate, decision: older }, isRepeated, isConcerned };
  };
  return { decision, compare };
}

function nearOf(
  fact: EmbeddedStatement,
  others: readonly EmbeddedStatement[],
  minSimilarity: number,
  userName: string | null,
): RankedCandidate[] {
  const [{ vector }] = fact.vectors;
  const alike = attributesUnderNames(fact.attribute, userName);
  return others
    .map(({ memory: { id, decision, topic }, statedAt, attribute, vectors: [other] }) => ({
      candidate: { id, decision, topic, statedAt },
      similarity: cosine(other.vector, vector),
      hasSameAttribute: attribute !== null && alike.includes(attribute),
    }))
    .filter(({ similarity, hasSameAttribute }) => hasSameAttribute || similarity >= minSimilarity);
}

/** The verdict on a statement for which the classifier is not asked. */
function withoutCall(statement: EmbeddedStatement, reason: SkippedReason, category?: string) {
  return { ...statement, verdict: notAsked(reason, category), classifyCalls: [] };
}

async function judgeGroup(
  run: WriteRun,
  group: readonly ComparedStatement[],
  excludedIds: ReadonlySet<MemoryId>,
  isOneOfMany: boolean,
): Promise<JudgedStatement[]> {
  const endedIds = new Set<MemoryId>();
  const judged: JudgedStatement[] = [];
  for (const compared of group) {
    if (judged.length > 0) await giveWay(run.models.client);
    const candidates = await run.context.loopTurns.map(
      run.caller.companyId,
      chooseCandidates(compared.near, excludedIds, endedIds),
      (each) => (isCompared(each) ? 0 : comparisonShare(each)),
      (each) => (isCompared(each) ? each : compared.compare(each)),
      run.models.client,
    );
    const statement = await judgeStatement(run, compared, candidates, isOneOfMany);
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
  { context, writer, confirmed, models }: WriteRun,
  { fact: statement, decision }: ComparedStatement,
  chosen: readonly ComparedCandidate[],
  isOneOfMany: boolean,
): Promise<JudgedStatement> {
  const { classifierModel: model, minConfidence } = writer.settings;
  const candidateOf = ({ candidate }: ComparedCandidate) => candidate;
  const repeats = chosen.filter(({ isRepeated }) => isRepeated).map(candidateOf);
  const others = chosen.filter(({ isRepeated }) => !isRepeated);
  const possible = others.filter(({ isConcerned }) => isConcerned).map(candidateOf);
  const usage = new UsageLog();
  let verdict = notAsked(others.length === 0 ? "no_candidates" : "not_superseding");
  if (possible.length > 0) {
    await confirmed();
    const { memory, statedAt, retractedBy } = statement;
    const fact = { ...memory, decision, statedAt };
    const isRetraction = retractedBy !== null;
    const input = { fact, isRetraction, candidates: possible, isOneOfMany, model };
    const call = usage.counting(models.call);
    const classification = await classify(context, input, models, call);
    verdict = judge(possible, classification, minConfidence);
  }
  const examined = { ...verdict, candidates: others.map(candidateOf) };
  const classifyCalls = usage.calls("classify");
  return { ...statement, verdict: withRepeats(examined, repeats), classifyCalls };
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
