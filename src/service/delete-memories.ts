import { eraseMemories } from "../storage/memory-erasure.ts";
import { transaction } from "../storage/transaction.ts";
import type { Caller, ServiceContext } from "./context.ts";

/**
 * Erases the memories of one tenant, or of every tenant of the account where
 * `tenantId` is undefined, with all that holds their text (4.3, D22). Works on
 * every plan (D30). Returns how many there were.
 */
export async function deleteMemories(
  context: ServiceContext,
  caller: Caller,
  tenantId: string | undefined,
): Promise<number> {
  return transaction(context.db, (trx) => eraseMemories(trx, caller.companyId, tenantId));
}
