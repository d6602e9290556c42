import { OPERATOR_ACTOR } from "../../domain/audit-event.ts";
import type { ErasureScope } from "../../domain/erasure.ts";
import type { CompanyId } from "../../domain/ids.ts";
import { findAccount } from "../../storage/accounts.ts";
import { countErasable, type ErasureCounts } from "../../storage/memory-erasure.ts";
import type { AccountDb } from "../../storage/schema.ts";
import type { EmbeddingContext } from "../context.ts";
import { erase } from "../delete-memories.ts";
import { accountNotFound } from "./account-fields.ts";

export type { AccountDb } from "../../storage/schema.ts";

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
