import type { ServiceImpl } from "@connectrpc/connect";
import type { ErasureService } from "../../../../gen/agentmemory/dashboard/v1/own_erasure_service_pb.ts";
import type { EmbeddingContext } from "../../../service/context.ts";
import { eraseConfirmed, onlyMemory } from "../../../service/delete-memories.ts";
import { retentionRules, setRetentionRule } from "../../../service/retention.ts";
import { callerOf } from "../call.ts";
import { readMemoryId } from "../fields.ts";
import { readRetentionRule, retentionRuleMessage } from "../retention-messages.ts";

/** The handlers of the dashboard's ErasureService. */
export function createErasureService(
  context: EmbeddingContext,
): ServiceImpl<typeof ErasureService> {
  return {
    eraseMemory({ memoryId, confirmed }, call) {
      const scope = onlyMemory(readMemoryId("memory_id", memoryId));
      return eraseConfirmed(context, callerOf(call), scope, confirmed);
    },
    async listRetentionRules(_, call) {
      const rules = await retentionRules(callerOf(call).db);
      return { rules: rules.map(retentionRuleMessage) };
    },
    async setRetentionRule({ rule, confirmed }, call) {
      const { db } = callerOf(call);
      return { dueCount: await setRetentionRule(context, db, readRetentionRule(rule), confirmed) };
    },
  };
}
