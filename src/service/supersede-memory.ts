import { Failure } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Memory } from "../domain/memory.ts";
import {
  checkValidTo,
  planSupersession,
  requestOf,
  type StoredSupersession,
  type SupersessionRequest,
  type SupersessionState,
  supersededEvent,
} from "../domain/supersession.ts";
import {
  lockForSupersession,
  readSupersessionHistory,
  type SupersessionScope,
} from "../storage/memory-chains.ts";
import { writeMemories } from "../storage/memory-writes.ts";
import type { Executor, Trx } from "../storage/schema.ts";
import { transaction } from "../storage/transaction.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { type Answer, claimRequest, type IdempotencyRequest } from "./idempotency.ts";
import { missingMemory } from "./memory-history.ts";
import { admitReader } from "./plan.ts";

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
  memoryId: MemoryId,
  request: SupersessionRequest,
  idempotency: IdempotencyRequest<StoredSupersession> | null,
): Promise<Answer<StoredSupersession>> {
  const claim = await claimRequest(context, caller, idempotency);
  if (claim.kind === "repeated") return claim;
  using _held = claim;
  try {
    admitReader(context, caller);
    const result = await transaction(context.db, async (trx) => {
      const stored = await endMemory(trx, context, caller, memoryId, request);
      await claim.keep(trx, stored, { textOfTenant: undefined, quotaExceededUntil: null });
      return stored;
    });
    return { kind: "result", result };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

async function endMemory(
  trx: Trx,
  context: ServiceContext,
  { companyId, apiKeyId }: Caller,
  memoryId: MemoryId,
  request: SupersessionRequest,
): Promise<StoredSupersession> {
  const { lastSequence, ...state } = await lockState(trx, companyId, memoryId, request);
  const plan = planSupersession(state, request, context.now());
  if (plan.kind === "repeat") return plan.stored;
  const { change } = plan;
  await writeMemories(trx, {
    companyId,
    created: [],
    ended: [{ id: memoryId, ...change }],
    events: [supersededEvent(state.memory, request, change, { actor: apiKeyId })],
    lastSequences: new Map([[memoryId, lastSequence]]),
  });
  return { validTo: change.validTo, supersededBy: change.supersededBy };
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
  trx: Trx,
  companyId: Caller["companyId"],
  memoryId: MemoryId,
  request: SupersessionRequest,
): Promise<SupersessionState & { readonly lastSequence: number }> {
  const scope: SupersessionScope = { memoryId, replacementId: request.supersededBy };
  const heads: MemoryId[] = [];
  for (let attempt = 0; attempt < MAX_LOCK_ATTEMPTS; attempt++) {
    const locked = await lockForSupersession(trx, companyId, scope, heads);
    const { memory, replacement } = await ownMemories(trx, locked, memoryId, request);
    const history = await readSupersessionHistory(trx, companyId, scope);
    const { chainHeadId, lastSequence, lastSupersession } = history;
    const earlierRequest =
      memory.supersededAt === null || lastSupersession === null
        ? null
        : requestOf(lastSupersession);
    const state = { memory, earlierRequest, lastSequence };
    if (replacement === null || chainHeadId === null) return { ...state, replacement: null };
    if (locked.some(({ id }) => id === chainHeadId)) {
      return { ...state, replacement: { memory: replacement, chainHeadId } };
    }
    heads.push(chainHeadId);
  }
  throw new Failure("overloaded", "the chain is growing too fast; try again", {
    retryAfterSeconds: 1,
  });
}

async function ownMemories(
  db: Executor,
  locked: readonly Memory[],
  memoryId: MemoryId,
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
