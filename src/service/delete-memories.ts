import { deleteMemories as deleteStoredMemories } from "../storage/memories.ts";
import { transaction } from "../storage/transaction.ts";
import type { Caller, ServiceContext } from "./context.ts";

/**
 * Erases the memories of one tenant or, without one, of every tenant of the
 * account (4.3, D22), with all that
 * holds their text. Works on every plan (D30). Returns how many there were.
 */
export async function deleteMemories(
  context: ServiceContext,
  caller: Caller,
  tenantId: string | undefined,
): Promise<number> {
  return transaction(context.db, (trx) => deleteStoredMemories(trx, caller.companyId, tenantId));
}
