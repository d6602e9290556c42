import type { Judgement } from "../domain/auto-supersession.ts";
import { earliestStart, trim } from "../domain/chain.ts";
import { Failure } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Memory } from "../domain/memory.ts";
import {
  planSupersession,
  previousEnd,
  requestOf,
  type StoredSupersession,
  type SupersessionRequest,
  supersededEvent,
} from "../domain/supersession.ts";
import { readSupersessionHistory, trimRemaining, untrimAll } from "../storage/memory-chains.ts";
import { lockMemories, lockWhatIsFound } from "../storage/memory-locks.ts";
import { writeMemories } from "../storage/memory-writes.ts";
import type { AccountDb, AccountTrx } from "../storage/schema.ts";
import { transaction } from "../storage/transaction.ts";
import type { Caller, MemoryContext, ServiceContext } from "./context.ts";
import { type Answer, answerOnce, type IdempotencyRequest } from "./idempotency.ts";
import { missingMemory } from "./memories.ts";
import { admitReader } from "./plan.ts";

/**
 * Ends a memory, by its replacement, by a time, or both (4.8, D18), and trims what it had
 * replaced before (D18a). `because` is told by its history: a decision of the classifier that
 * a person accepts, which can be taken back, or the reason of a correction.
 *
 * Throws `memory_not_found`, `not_owner` and what `planSupersession` throws.
 */
export async function supersedeMemory(
  context: ServiceContext,
  caller: Caller,
  memoryId: MemoryId,
  request: SupersessionRequest,
  idempotency: IdempotencyRequest<StoredSupersession> | null,
  because: Partial<Judgement> = {},
): Promise<Answer<StoredSupersession>> {
  return answerOnce(context, caller, idempotency, async (claim) => {
    admitReader(context, caller);
    return context.tracer.span("write", {}, () =>
      transaction(caller.db, async (trx) => {
        const stored = await endMemory(trx, context, caller, memoryId, request, because);
        await claim.keep(trx, stored, { textOf: null, quotaExceededUntil: null });
        return stored;
      }),
    );
  });
}

async function endMemory(
  trx: AccountTrx,
  context: ServiceContext,
  { apiKeyId }: Caller,
  memoryId: MemoryId,
  request: SupersessionRequest,
  decision: Partial<Judgement>,
): Promise<StoredSupersession> {
  const { state, history } = await lockState(trx, memoryId, request);
  const stored = planSupersession(state, request, context.now());
  const { isRepeat, ...change } = stored;
  if (isRepeat) return stored;
  const mover = { actor: apiKeyId, at: change.supersededAt };
  const given = { id: memoryId, validTo: change.validTo };
  const own = trim([given], () => history.followedBy, mover);
  const { validTo } = own.ends[0] ?? given;
  const start = earliestStart([state.replacement?.memory ?? null, history.followedBy]);
  const laterStarts = new Map(start === null ? [] : [[memoryId, start]]);
  const earlier = trim(history.earlier, ({ rootId }) => laterStarts.get(rootId), mover);
  const by = { actor: apiKeyId, decision };
  const superseded = supersededEvent(state.memory, request, change, by);
  await writeMemories(trx, {
    ended: [{ id: memoryId, ...change, validTo }],
    moved: earlier.ends,
    events: [superseded, ...own.events, ...earlier.events],
    lastSequences: history.lastSequences,
  });
  await trimRemaining(trx, history, laterStarts, mover);
  return { ...stored, validTo };
}

/**
 * Locks all that the decision depends on: the memory, its replacement, and the head of the
 * replacement's chain; and what the memory had replaced before and is to be trimmed.
 *
 * Why the head: of A -> B, B -> C, C -> D, D -> A, requested at once, each pair of
 * neighbours shares a row, but B -> C and D -> A do not. Were the heads not
 * locked, each would read a chain without the other's link, both would commit,
 * and the chain would be a circle. With them, B -> C locks D and D -> A locks B.
 */
async function lockState(trx: AccountTrx, memoryId: MemoryId, request: SupersessionRequest) {
  const { supersededBy } = request;
  const ids = supersededBy === null ? [memoryId] : [memoryId, supersededBy];
  const locked = await lockMemories(trx, ids);
  const { memory, replacement } = await ownMemories(trx, locked, memoryId, request);
  const history = await lockWhatIsFound(
    trx,
    ids,
    () => readSupersessionHistory(trx, memoryId, supersededBy),
    ({ chainHeadId, earlier }) => [chainHeadId ?? [], earlier.map(({ id }) => id)].flat(),
  );
  const { chainHeadId, lastEnd } = history;
  const earlierRequest =
    memory.supersededAt === null || lastEnd === null ? null : requestOf(lastEnd.detail);
  const replaced =
    replacement === null || chainHeadId === null ? null : { memory: replacement, chainHeadId };
  return { state: { memory, earlierRequest, replacement: replaced }, history };
}

async function ownMemories(
  db: AccountDb,
  locked: readonly Memory[],
  memoryId: MemoryId,
  request: SupersessionRequest,
): Promise<{ memory: Memory; replacement: Memory | null }> {
  const { supersededBy } = request;
  const memory = locked.find(({ id }) => id === memoryId);
  const replacement = locked.find(({ id }) => id === supersededBy);
  const missing = [
    memory === undefined ? await missingMemory(db, memoryId, "memory_id") : [],
    supersededBy !== null && replacement === undefined
      ? await missingMemory(db, supersededBy, "superseded_by")
      : [],
  ].flat();
  // A memory that does not exist is reported before one that is another's (D13b).
  const failure = missing.find(({ reason }) => reason === "memory_not_found") ?? missing[0];
  if (failure !== undefined) throw failure;
  if (memory === undefined) throw new Error("unreachable: a missing memory is a failure");
  return { memory, replacement: replacement ?? null };
}

/**
 * Takes back what the classifier ended or a retraction (D25a): the memory is as before, its
 * replacement stays, and what this one had trimmed gets its ends back (D18a). Returns what had
 * replaced it, and its end; null: none.
 *
 * Throws `memory_not_found`, `not_owner`, and `not_restorable` where the classifier did not end it
 * or its replacement was superseded since.
 */
export async function restoreMemory(context: MemoryContext, caller: Caller, memoryId: MemoryId) {
  admitReader(context, caller);
  const restored = await context.tracer.span("write", {}, () =>
    transaction(caller.db, async (trx) => {
      const [memory] = await lockMemories(trx, [memoryId]);
      if (memory === undefined) throw await missingMemory(trx, memoryId, "memory_id");
      if (memory.supersededAt === null) throw notRestorable("the memory was not superseded");
      const { supersededBy } = memory;
      const [replacement] = await lockMemories(trx, supersededBy === null ? [] : [supersededBy]);
      const { lastEnd, lastSequences } = await readSupersessionHistory(trx, memoryId, null);
      // Of the classifier, or accepted of what it decided.
      if (lastEnd?.detail.confidence === undefined) {
        throw notRestorable("the memory was superseded by a call, not by the classifier");
      }
      if (replacement !== undefined && replacement.supersededAt !== null) {
        throw notRestorable("the memory that replaced it was itself superseded since");
      }
      const validTo = previousEnd(lastEnd.detail);
      const mover = { actor: caller.apiKeyId, at: context.now() };
      // First, while the chain still tells what the replacement had trimmed.
      await untrimAll(trx, memoryId, mover);
      const valid_to = lastEnd.detail.previous_valid_to ?? null;
      const detail = { superseded_by: supersededBy, valid_to };
      await writeMemories(trx, {
        ended: [{ id: memoryId, validTo, supersededBy: null, supersededAt: null }],
        events: [{ memoryId, event: "restored", ...mover, detail }],
        lastSequences,
      });
      return { replacedBy: supersededBy, validTo };
    }),
  );
  context.metrics.restored();
  return restored;
}

function notRestorable(sentence: string): Failure {
  return new Failure("not_restorable", sentence, { field: "memory_id" });
}
