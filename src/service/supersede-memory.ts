import { Failure } from "../domain/failure.ts";
import type { Memory } from "../domain/memory.ts";
import {
  checkValidTo,
  planSupersession,
  type StoredSupersession,
  type SupersessionRequest,
  type SupersessionState,
} from "../domain/supersession.ts";
import { appendAuditEvents, listAuditEvents } from "../storage/audit-events.ts";
import { findChainHeadId, lockMemories, markSuperseded } from "../storage/memories.ts";
import type { Executor } from "../storage/schema.ts";
import { transaction } from "../storage/transaction.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { type IdempotencyRequest, once } from "./idempotency.ts";
import { missingMemory } from "./missing-memory.ts";
import { admitReader } from "./plan.ts";
import { lastSupersessionRequest, supersededEvent } from "./supersession-event.ts";

/** Chains that grow at the same time make a supersession look again; this often at most. */
const MAX_LOCK_ATTEMPTS = 8;

/**
 * Ends a memory, by its replacement, by a time, or both (4.8, D18).
 *
 * Throws `memory_not_found`, `not_owner` and what `planSupersession` throws.
 */
export async function supersedeMemory(
  context: ServiceContext,
  caller: Caller,
  memoryId: string,
  request: SupersessionRequest,
  idempotency: IdempotencyRequest | null,
): Promise<StoredSupersession> {
  return once<StoredSupersession>(context, caller, idempotency, async (keep) => {
    await admitReader(context, caller);
    return transaction(context.db, async (trx) => {
      const state = await lockState(trx, caller.companyId, memoryId, request);
      const now = context.now();
      const plan = planSupersession(state, request, now);
      const stored = plan.kind === "repeat" ? plan.stored : plan.change;
      if (plan.kind === "change") {
        await markSuperseded(trx, caller.companyId, memoryId, plan.change);
        await appendAuditEvents(trx, caller.companyId, [
          supersededEvent(state.memory, request, plan.change, { actor: caller.apiKeyId }),
        ]);
      }
      const result = { validTo: stored.validTo, supersededBy: stored.supersededBy };
      await keep(trx, result, undefined);
      return result;
    });
  });
}

/**
 * Locks all that the decision depends on: the memory, its replacement, and the
 * head of the replacement's chain.
 *
 * Why the head: of A -> B, B -> C, C -> D, D -> A, requested at once, each pair of
 * neighbours shares a row, but B -> C and D -> A do not. Were the heads not
 * locked, each would read a chain without the other's link, both would commit,
 * and the chain would be a circle. With them, B -> C locks D and D -> A locks B.
 *
 * The head is known only once the replacement is locked, and locks are taken in
 * ID order; so a head that was not in the locked set means another look, with
 * the set enlarged. Locks held from the look before cannot deadlock two calls
 * for ever: the database ends one of them, and `transaction` runs it again.
 */
async function lockState(
  trx: Executor,
  companyId: string,
  memoryId: string,
  request: SupersessionRequest,
): Promise<SupersessionState> {
  const { supersededBy } = request;
  const named = supersededBy === null ? [memoryId] : [memoryId, supersededBy];
  let headId = supersededBy === null ? null : await findChainHeadId(trx, companyId, supersededBy);

  for (let attempt = 0; attempt < MAX_LOCK_ATTEMPTS; attempt++) {
    const ids = new Set(headId === null ? named : [...named, headId]);
    const locked = await lockMemories(trx, companyId, [...ids]);
    const { memory, replacement } = await ownMemories(trx, locked, memoryId, request);
    const earlierRequest =
      memory.supersededAt === null
        ? null
        : lastSupersessionRequest(await listAuditEvents(trx, companyId, memoryId));
    if (replacement === null) return { memory, earlierRequest, replacement: null };

    const chainHeadId = await findChainHeadId(trx, companyId, replacement.id);
    if (ids.has(chainHeadId)) {
      return { memory, earlierRequest, replacement: { memory: replacement, chainHeadId } };
    }
    headId = chainHeadId;
  }
  throw new Failure("overloaded", "the chain is growing too fast; try again", {
    retryAfterSeconds: 1,
  });
}

async function ownMemories(
  db: Executor,
  locked: readonly Memory[],
  memoryId: string,
  request: SupersessionRequest,
): Promise<{ memory: Memory; replacement: Memory | null }> {
  const { supersededBy } = request;
  const memory = locked.find(({ id }) => id === memoryId);
  // Of several errors the invalid field is answered before the missing memory (D13b).
  if (memory !== undefined) checkValidTo(memory, request);
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
