import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  type EraseMemoriesRequest,
  ErasureService,
  type SetRetentionRuleRequest,
} from "../../../../gen/agentmemory/admin/v1/erasure_service_pb.ts";
import type { ErasureScope } from "../../../domain/erasure.ts";
import { invalidField } from "../../../domain/failure.ts";
import type { Caller, EmbeddingContext } from "../../../service/context.ts";
import { accountDb, eraseOfAccount, onlyMemory } from "../../../service/erasure.ts";
import { retentionRules, setRetentionRule } from "../../../service/retention.ts";
import { readFields, readMemoryId, required } from "../fields.ts";
import { readErasureScope } from "../memory-queries.ts";
import { implement } from "../messages.ts";
import { readCompanyId } from "./account-service.ts";

/** The handlers of the operator's ErasureService. */
export function erasureService(context: EmbeddingContext): ServiceImpl<typeof ErasureService> {
  return implement(ErasureService, {
    eraseMemories(request) {
      const companyId = readCompanyId(request.companyId);
      return eraseOfAccount(context, companyId, readScope(request), request.confirmed);
    },
    ...retentionHandlers(context, ({ companyId }: { readonly companyId: string }) =>
      accountDb(context, readCompanyId(companyId)),
    ),
  });
}

/** The methods about rules of retention, of the account that `dbOf` says. */
export function retentionHandlers<Request>(
  context: EmbeddingContext,
  dbOf: (request: Request, call: HandlerContext) => Caller["db"] | Promise<Caller["db"]>,
) {
  return {
    async listRetentionRules(request: Request, call: HandlerContext) {
      return { rules: await retentionRules(await dbOf(request, call)) };
    },
    async setRetentionRule(
      request: Request & Pick<SetRetentionRuleRequest, "rule" | "confirmed">,
      call: HandlerContext,
    ) {
      const rule = readFields(
        required("rule", request.rule),
        ["tenantId", "source", "endedAfterDays", "allAfterDays"],
        "rule.",
      );
      const db = await dbOf(request, call);
      return { dueCount: await setRetentionRule(context, db, rule, request.confirmed) };
    },
  };
}

/** A slip must not erase an account: it has a command of its own. */
function readScope({ memoryId, scope }: EraseMemoriesRequest): ErasureScope {
  if (memoryId === undefined) {
    const read = readErasureScope(required("scope", scope));
    if (read.tenantId === undefined) throw invalidField("scope.tenant_id", "is required");
    return read;
  }
  if (scope !== undefined) throw invalidField("scope", "must not be given with `memory_id`");
  return onlyMemory(readMemoryId("memory_id", memoryId));
}
