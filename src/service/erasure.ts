import { DASHBOARD_ACTOR, KEYLESS_ACTORS, OPERATOR_ACTOR } from "../domain/audit-event.ts";
import { type ErasureScope, WHOLE_ACCOUNT } from "../domain/erasure.ts";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import { findAccount } from "../storage/accounts.ts";
import { countErasable, type ErasureCounts, eraseMemories } from "../storage/memory-erasure.ts";
import type { AccountDb } from "../storage/schema.ts";
import { accountNotFound } from "./admin/account-fields.ts";
import type { Caller, EmbeddingContext } from "./context.ts";

/**
 * Erases the memories of a scope with all that holds their text (4.3, D22, D43). Works on
 * every plan (D30). Returns how many there were.
 */
export function deleteMemories(
  context: EmbeddingContext,
  { db, companyId, apiKeyId, credential }: Caller,
  scope: ErasureScope,
): Promise<number> {
  const actor = credential === "session" ? DASHBOARD_ACTOR : apiKeyId;
  return erase(context, db, scope, actor, { companyId, apiKeyId, ...tenantOf(scope) });
}

function tenantOf({ tenantId }: ErasureScope) {
  return tenantId === undefined ? { wholeAccount: true } : { wholeAccount: false, tenantId };
}

/** One memory, of whichever tenant. */
export function onlyMemory(memoryId: MemoryId): ErasureScope {
  return { ...WHOLE_ACCOUNT, memoryId };
}

/** Counts what an erasure takes, and erases it where that is confirmed, for a person (D43). */
export async function eraseConfirmed(
  context: EmbeddingContext,
  caller: Caller,
  scope: ErasureScope,
  isConfirmed: boolean,
): Promise<ErasureCounts> {
  if (!isConfirmed) return countErasable(caller.db, [scope]);
  return { memoryCount: await deleteMemories(context, caller, scope), rejectedFactCount: 0 };
}

/**
 * Erases in bounded steps until it `isOver`. The operator's log says who did it, with what is
 * told of the scope: nothing else is left to tell.
 */
export async function erase(
  context: EmbeddingContext,
  db: AccountDb,
  scope: ErasureScope,
  actor: string,
  told: object,
  isOver: (deletedCount: number) => boolean = () => false,
): Promise<number> {
  let deletedCount = 0;
  try {
    return await context.tracer.span("write", {}, async () => {
      for await (const deleted of eraseMemories(db, scope, { actor, now: () => context.now() })) {
        deletedCount += deleted;
        if (isOver(deletedCount)) break;
      }
      return deletedCount;
    });
  } finally {
    context.metrics.erased(deletedCount, KEYLESS_ACTORS.includes(actor) ? actor : "api_key");
    // A deletion that fails, or whose client leaves, may have done a part.
    context.log.info({ ...told, deletedCount }, "memories were deleted");
  }
}

/** Of one call, so that it ends in time. */
const MEMORIES_A_CALL = 5_000;

/** The database of an account that there is. Throws `account_not_found`. */
export async function accountDb(
  { db }: Pick<EmbeddingContext, "db">,
  companyId: CompanyId,
): Promise<AccountDb> {
  const own = db.of(companyId);
  if ((await findAccount(own)) === null) throw accountNotFound(companyId);
  return own;
}

export interface OperatorErasure extends ErasureCounts {
  /** There is more. */
  readonly isPartial: boolean;
}

/**
 * Counts what an erasure of an account's memories takes, and erases it where that is
 * confirmed (D43). Throws `account_not_found`.
 */
export async function eraseOfAccount(
  context: EmbeddingContext,
  companyId: CompanyId,
  scope: ErasureScope,
  isConfirmed: boolean,
): Promise<OperatorErasure> {
  const db = await accountDb(context, companyId);
  if (!isConfirmed) return { ...(await countErasable(db, [scope])), isPartial: false };
  let isPartial = false;
  const isOver = (deleted: number) => {
    isPartial = deleted >= MEMORIES_A_CALL;
    return isPartial;
  };
  const told = { companyId, tenantId: scope.tenantId, memoryId: scope.memoryId };
  const memoryCount = await erase(context, db, scope, OPERATOR_ACTOR, told, isOver);
  return { memoryCount, rejectedFactCount: 0, isPartial };
}
