import { eraseMemories } from "../storage/memory-erasure.ts";
import type { Caller, ServiceContext } from "./context.ts";

/**
 * Erases the memories of one tenant, or of every tenant of the account where
 * `tenantId` is undefined, with all that holds their text (4.3, D22). Works on
 * every plan (D30). Returns how many there were. The operator's log says who did it:
 * nothing else is left to tell.
 */
export async function deleteMemories(
  context: ServiceContext,
  caller: Caller,
  tenantId: string | undefined,
): Promise<number> {
  const { db, companyId, apiKeyId } = caller;
  const scope = tenantId === undefined ? { wholeAccount: true } : { wholeAccount: false, tenantId };
  let deletedCount = 0;
  try {
    return await context.tracer.span("write", {}, async () => {
      for await (const deleted of eraseMemories(db, tenantId)) deletedCount += deleted;
      return deletedCount;
    });
  } finally {
    // A deletion that fails, or whose client leaves, may have done a part.
    context.log.info({ companyId, apiKeyId, ...scope, deletedCount }, "memories were deleted");
  }
}
