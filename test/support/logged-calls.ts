import { v7 as uuidv7 } from "uuid";
import { toCompanyId } from "../../src/domain/ids.ts";
import { CallNotes, type EndedCall } from "../../src/domain/logged-call.ts";
import { addCalls } from "../../src/storage/calls.ts";
import type { TestAccount, TestService } from "./service.ts";

/** Stores calls as if an account's key had made them; what is not said of one is as of most. */
export async function logCalls(
  { context }: Pick<TestService, "context">,
  { companyId, apiKeyId }: Pick<TestAccount, "companyId" | "apiKeyId">,
  calls: readonly Partial<EndedCall>[],
): Promise<void> {
  const ended = calls.map((call) => {
    const id = uuidv7();
    return {
      ...new CallNotes(),
      ...{ companyId: toCompanyId(companyId), id, requestId: id, at: context.now() },
      ...{ actor: apiKeyId, rpc: "QueryMemories", tenantIds: [""] },
      ...{ status: 200, reason: null, totalMs: 20, savedCount: 0, writtenAt: null },
      ...call,
    };
  });
  await addCalls(context.db, ended);
}
