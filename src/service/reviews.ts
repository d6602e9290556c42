import { type AuditEvent, CLASSIFIER_ACTOR } from "../domain/audit-event.ts";
import {
  type DecidedEnd,
  type DecisionOutcome,
  decidedEnds,
  outcomeOf,
} from "../domain/decision.ts";
import { isMemoryId, isUuid, type MemoryId } from "../domain/ids.ts";
import { DAY, formatInstant, parseInstant } from "../domain/instant.ts";
import { MAX_PAGE_TEXT_BYTES } from "../domain/limits.ts";
import { type Memory, withinPage } from "../domain/memory.ts";
import type { KeptRejectedFact } from "../domain/rejected-fact.ts";
import {
  countDecisions,
  type DecisionRecord,
  selectDecisionEvents,
  selectLastEnds,
} from "../storage/audit-events.ts";
import { findFirstMemories } from "../storage/memories.ts";
import { deleteRejectedFact, listRejectedFacts } from "../storage/rejected-facts.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { type Page, pageOf, readPageToken } from "./page-token.ts";
import { admitReader } from "./plan.ts";

/** Entries of a page. An event may have ended several memories, whose texts come with it. */
const PAGE_SIZE = 20;
const SEQUENCE = /^\d{1,9}$/;

/** How far back the record of the classifier goes. */
const RECORD_DAYS = 30n;

/** A decision of the classifier, with the memories that it is about as they are now. */
export interface Decision extends DecidedEnd {
  readonly memory: Memory;
  /** null: there is none, or it was deleted. */
  readonly replacement: Memory | null;
  readonly outcome: DecisionOutcome;
}

/**
 * One page of what the classifier ended, or would have ended, newest first; memories that
 * were deleted are left out. Throws `invalid_field` and `plan_blocked`.
 */
export async function listDecisions(
  context: ServiceContext,
  caller: Caller,
  pageToken: string | null,
): Promise<Page<Decision>> {
  const after = readPageToken(pageToken, ([time = "", memoryId = "", sequence = ""]) => {
    const at = parseInstant(time);
    if (at === null || !isMemoryId(memoryId) || !SEQUENCE.test(sequence)) return null;
    return { at, memoryId, sequence: Number(sequence) };
  });
  admitReader(context, caller);
  const events = await selectDecisionEvents(caller.db, { after, limit: PAGE_SIZE + 1 });
  const decided = await decisionsOf(caller, events.slice(0, PAGE_SIZE));
  const page = pageOf(events, decided.length, ({ at, memoryId, sequence }) => [
    formatInstant(at),
    memoryId,
    String(sequence),
  ]);
  return { entries: decided.flat(), nextPageToken: page.nextPageToken };
}

/** What each of the events decided, of the first ones: as many as are a page by their texts (D37). */
async function decisionsOf(
  { db }: Caller,
  events: readonly AuditEvent[],
): Promise<(readonly Decision[])[]> {
  const ends = events.map((event) => decidedEnds(event.memoryId, event));
  const idsOf = ({ memoryId, replacementId }: DecidedEnd) => [memoryId, replacementId ?? []].flat();
  const ids = [...new Set(ends.flat().flatMap(idsOf))];
  const { memories: found, looked } = await findFirstMemories(db, ids, MAX_PAGE_TEXT_BYTES);
  const memories = new Map(found.map((memory) => [memory.id, memory]));
  const unread = new Set(ids.slice(looked));
  const read = ends.findIndex((each) => each.flatMap(idsOf).some((id) => unread.has(id)));
  const decided = ends.slice(0, read === -1 ? ends.length : read).map((each) =>
    each.flatMap((end) => {
      const memory = memories.get(end.memoryId);
      if (memory === undefined) return [];
      const { replacementId } = end;
      const replacement = replacementId === null ? null : (memories.get(replacementId) ?? null);
      return [{ ...end, memory, replacement, outcome: outcomeOf(end, memory) }];
    }),
  );
  return withinPage(decided, (each) =>
    each.flatMap(({ memory, replacement }) => [memory, replacement ?? []].flat()),
  );
}

/** How often the classifier was right for the caller's account lately. Throws `plan_blocked`. */
export async function getDecisionRecord(
  context: ServiceContext,
  caller: Caller,
): Promise<DecisionRecord> {
  admitReader(context, caller);
  return countDecisions(caller.db, context.now() - RECORD_DAYS * DAY);
}

/** The last end of a memory. */
export interface ChainEnd extends Pick<DecidedEnd, "memoryId" | "at"> {
  readonly actor: string;
  /** null: it was not the classifier. */
  readonly decision: Pick<DecidedEnd, "confidence" | "reason"> | null;
}

/** The last end of each of these memories of the caller. Memories without one are left out. Throws `plan_blocked`. */
export async function listChainEnds(
  context: ServiceContext,
  caller: Caller,
  memoryIds: readonly MemoryId[],
): Promise<ChainEnd[]> {
  admitReader(context, caller);
  const events = await selectLastEnds(caller.db, memoryIds);
  return events.flatMap((event) =>
    decidedEnds(event.memoryId, event).map(({ memoryId, at, confidence, reason }) => ({
      memoryId,
      at,
      actor: event.actor,
      decision: event.actor === CLASSIFIER_ACTOR ? { confidence, reason } : null,
    })),
  );
}

/**
 * One page of what was said in conversations and came to nothing, of every tenant, newest
 * first. Throws `invalid_field` and `plan_blocked`.
 */
export async function listRejected(
  context: ServiceContext,
  caller: Caller,
  pageToken: string | null,
): Promise<Page<KeptRejectedFact>> {
  const beforeId = readPageToken(pageToken, ([id = ""]) => (isUuid(id) ? id : null));
  admitReader(context, caller);
  const found = await listRejectedFacts(caller.db, { beforeId, limit: PAGE_SIZE + 1 });
  return pageOf(found, PAGE_SIZE, ({ id }) => [id]);
}

/**
 * Takes one off the list, for good; does nothing where the account has none of this ID.
 * Throws `plan_blocked`.
 */
export async function dismissRejected(
  context: ServiceContext,
  caller: Caller,
  id: string,
): Promise<void> {
  admitReader(context, caller);
  await deleteRejectedFact(caller.db, id);
}
