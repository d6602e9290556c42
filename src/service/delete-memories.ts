import { DASHBOARD_ACTOR } from "../domain/audit-event.ts";
import type { ErasureScope } from "../domain/erasure.ts";
import { eraseMemories } from "../storage/memory-erasure.ts";
import type { Caller, ServiceContext } from "./context.ts";

/**
 * Erases the memories of a scope with all that holds their text (4.3, D22, D43). Works on
 * every plan (D30). Returns how many there were. The operator's log says who did it:
 * nothing else is left to tell.
 */
export async function deleteMemories(
  context: ServiceContext,
  caller: Caller,
  scope: ErasureScope,
): Promise<number> {
  const { db, companyId, apiKeyId, credential } = caller;
  const actor = credential === "session" ? DASHBOARD_ACTOR : apiKeyId;
  let deletedCount = 0;
  try {
    return await context.tracer.span("write", {}, async () => {
      const erasure = eraseMemories(db, scope, { actor, now: context.now });
      for await (const deleted of erasure) deletedCount += deleted;
      return deletedCount;
    });
  } finally {
    // A deletion that fails, or whose client leaves, may have done a part.
    const { tenantId } = scope;
    const wholeAccount = tenantId === undefined;
    const told = { companyId, apiKeyId, wholeAccount, tenantId, deletedCount };
    context.log.info(told, "memories were deleted");
  }
}
