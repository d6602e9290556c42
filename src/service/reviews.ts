import {
  changesMemory,
  type Decision,
  type DecisionFilter,
  type DecisionKey,
  type HumanVerdict,
} from "../domain/decision.ts";
import { invalidField } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import { DAY, parseInstant } from "../domain/instant.ts";
import { MAX_PAGE_TEXT_BYTES } from "../domain/limits.ts";
import { withinPage } from "../domain/memory.ts";
import type { KeptRejectedFact } from "../domain/rejected-fact.ts";
import {
  type ChainEnd,
  countDecisions,
  endOfLook,
  findDecision,
  keepVerdict,
  selectDecisions,
  selectLastEnds,
} from "../storage/decisions.ts";
import { type ChangeQuery, findFirstMemories, selectChanges } from "../storage/memories.ts";
import { deleteRejectedFact, listRejectedFacts } from "../storage/rejected-facts.ts";
import type { Caller, MemoryContext, ServiceContext } from "./context.ts";
import {
  memoryIdIn,
  numberIn,
  type Page,
  pageOf,
  readPageToken,
  tokenBehind,
  uuidIn,
} from "./page-token.ts";
import { admitReader } from "./plan.ts";
import { restoreMemory, supersedeMemory } from "./supersede-memory.ts";

/** Entries of a page. The texts of their memories come with them. */
const PAGE_SIZE = 20;
const ofDecision = { decidedIn: memoryIdIn, sequence: numberIn, memoryId: memoryIdIn };
const DECISION_ORDER = { at: parseInstant, ...ofDecision };
/** Changes that are listed between two moments. */
const MAX_CHANGES = 200;

/** How far back the record of the classifier goes. */
const RECORD_DAYS = 30n;

/**
 * One page of what the classifier ended, or would have ended, newest first, with the memories
 * as they are now. Those that were deleted are left out: a `replacement` is null then too.
 * Throws `invalid_field` and `plan_blocked`.
 */
export async function listDecisions(
  context: ServiceContext,
  caller: Caller,
  filter: DecisionFilter,
  pageToken: string | null,
) {
  const after = readPageToken(pageToken, DECISION_ORDER);
  admitReader(context, caller);
  const limits = { after, limit: PAGE_SIZE + 1, now: context.now() };
  const found = await selectDecisions(caller.db, { ...filter, ...limits });
  const entries = await withMemories(caller, found.slice(0, PAGE_SIZE));
  const { nextPageToken } = pageOf(found, entries.length, DECISION_ORDER);
  if (nextPageToken !== null) return { entries, nextPageToken };
  const last = await endOfLook(caller.db, after);
  return { entries, nextPageToken: last && tokenBehind([last], true, DECISION_ORDER) };
}

/** The first ones: as many as are a page by the texts of their memories (D37). */
async function withMemories({ db }: Caller, decisions: readonly Decision[]) {
  const idsOf = ({ memoryId, replacementId }: Decision) => [memoryId, replacementId ?? []].flat();
  const ids = [...new Set(decisions.flatMap(idsOf))];
  const { memories: found, looked } = await findFirstMemories(db, ids, MAX_PAGE_TEXT_BYTES);
  const memories = new Map(found.map((memory) => [memory.id, memory]));
  const unread = new Set(ids.slice(looked));
  const cut = decisions.findIndex((each) => idsOf(each).some((id) => unread.has(id)));
  const read = decisions.slice(0, cut === -1 ? decisions.length : Math.max(1, cut));
  const listed = read.flatMap((decision) => {
    const memory = memories.get(decision.memoryId);
    const { replacementId: id } = decision;
    const replacement = id === null ? null : (memories.get(id) ?? null);
    return memory === undefined ? [] : [{ ...decision, memory, replacement }];
  });
  return withinPage(listed, ({ memory, replacement }) => [memory, replacement ?? []].flat());
}

/**
 * Keeps a verdict on a decision, once the memory is as it says, where that can be; null takes
 * the verdict back, and what it did. Throws `invalid_field` where the account has no such
 * decision, and what a supersession and a restoration throw.
 */
export async function judgeDecision(
  context: MemoryContext,
  caller: Caller,
  key: DecisionKey,
  verdict: HumanVerdict | null,
): Promise<void> {
  admitReader(context, caller);
  const now = context.now();
  const decision = await findDecision(caller.db, key, now);
  if (decision === null) throw invalidField("decided_in", "must be of a decision of the account");
  const { memoryId, replacementId: supersededBy, confidence, reason, model } = decision;
  const change = changesMemory(decision, verdict);
  if (change === "restore") await restoreMemory(context, caller, memoryId);
  if (change === "supersede") {
    const validTo = supersededBy === null ? (parseInstant(decision.validTo ?? "") ?? now) : null;
    const judgement = { confidence, reason, model };
    await supersedeMemory(context, caller, memoryId, { supersededBy, validTo }, null, judgement);
  }
  await keepVerdict(caller.db, decision, verdict);
}

/** How often the classifier was right for the caller's account. Throws `plan_blocked`. */
export async function getDecisionRecord(context: ServiceContext, caller: Caller) {
  admitReader(context, caller);
  const now = context.now();
  return countDecisions(caller.db, { since: now - RECORD_DAYS * DAY, now });
}

/** The last end of each of these memories of the caller. Memories without one are left out. Throws `plan_blocked`. */
export async function listChainEnds(
  context: ServiceContext,
  caller: Caller,
  memoryIds: readonly MemoryId[],
): Promise<ChainEnd[]> {
  admitReader(context, caller);
  return selectLastEnds(caller.db, memoryIds);
}

/** What began or ceased to hold in a tenant of the caller. Throws `plan_blocked`. */
export async function listChanges(context: ServiceContext, caller: Caller, query: ChangeQuery) {
  admitReader(context, caller);
  const limits = { limit: MAX_CHANGES, maxTextBytes: MAX_PAGE_TEXT_BYTES };
  return selectChanges(caller.db, { ...query, ...limits });
}

/** What came to nothing, newest first. Throws `invalid_field` and `plan_blocked`. */
export async function listRejected(
  context: ServiceContext,
  caller: Caller,
  pageToken: string | null,
): Promise<Page<KeptRejectedFact>> {
  const before = readPageToken(pageToken, { id: uuidIn });
  admitReader(context, caller);
  const found = await listRejectedFacts(caller.db, before?.id ?? null, PAGE_SIZE + 1);
  return pageOf(found, PAGE_SIZE, { id: uuidIn });
}

/** Takes one off the list, if it is there. Throws `plan_blocked`. */
export async function dismissRejected(context: ServiceContext, caller: Caller, id: string) {
  admitReader(context, caller);
  await deleteRejectedFact(caller.db, id);
}
