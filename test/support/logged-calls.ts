import { v7 as uuidv7 } from "uuid";
import { toCompanyId } from "../../src/domain/ids.ts";
import { CallNotes, type CallToStore } from "../../src/domain/logged-call.ts";
import { addCalls } from "../../src/storage/calls.ts";
import type { TestAccount, TestService } from "./service.ts";

type Service = Pick<TestService, "context">;
type Account = Pick<TestAccount, "companyId" | "apiKeyId">;

/** A call as if an account's key had made it; what is not said of it is as of most. */
function endedCall(
  { context }: Service,
  { companyId, apiKeyId }: Account,
  call: Partial<CallToStore> = {},
): CallToStore {
  const id = uuidv7();
  return {
    ...new CallNotes(),
    ...{ companyId: toCompanyId(companyId), id, requestId: id, at: context.now() },
    ...{ actor: apiKeyId, rpc: "QueryMemories", tenantIds: [""] },
    ...{ status: 200, reason: null, totalMs: 20, savedCount: 0, writtenAt: null },
    ...call,
  };
}

/** Stores such calls. */
export async function logCalls(
  service: Service,
  account: Account,
  calls: readonly Partial<CallToStore>[],
): Promise<void> {
  await addCalls(
    service.context.db,
    calls.map((call) => endedCall(service, account, call)),
  );
}
