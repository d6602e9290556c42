import type { ServiceImpl } from "@connectrpc/connect";
import type {
  EraseMemoriesRequest,
  ErasureService,
} from "../../../../gen/agentmemory/admin/v1/erasure_service_pb.ts";
import type { ErasureScope } from "../../../domain/erasure.ts";
import { invalidField } from "../../../domain/failure.ts";
import { accountDb, eraseOfAccount } from "../../../service/admin/erasure.ts";
import type { EmbeddingContext } from "../../../service/context.ts";
import { onlyMemory } from "../../../service/delete-memories.ts";
import { retentionRules, setRetentionRule } from "../../../service/retention.ts";
import { readMemoryId, required } from "../fields.ts";
import { readErasureScope } from "../memory-queries.ts";
import { readRetentionRule, retentionRuleMessage } from "../retention-messages.ts";
import { readCompanyId } from "./account-service.ts";

/** The handlers of the operator's ErasureService. */
export function erasureService(context: EmbeddingContext): ServiceImpl<typeof ErasureService> {
  return {
    eraseMemories(request) {
      const companyId = readCompanyId(request.companyId);
      return eraseOfAccount(context, companyId, readScope(request), request.confirmed);
    },
    async listRetentionRules({ companyId }) {
      const rules = await retentionRules(await accountDb(context, readCompanyId(companyId)));
      return { rules: rules.map(retentionRuleMessage) };
    },
    async setRetentionRule({ companyId, rule, confirmed }) {
      const read = readRetentionRule(rule);
      const db = await accountDb(context, readCompanyId(companyId));
      return { dueCount: await setRetentionRule(context, db, read, confirmed) };
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
