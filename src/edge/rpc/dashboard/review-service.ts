import type { ServiceImpl } from "@connectrpc/connect";
import type { ReviewService } from "../../../../gen/agentmemory/dashboard/v1/review_service_pb.ts";
import type { ServiceContext } from "../../../service/context.ts";
import { getDecisionRecord, listDecisions } from "../../../service/decisions.ts";
import { dismissRejected, listRejected } from "../../../service/rejected-facts.ts";
import { callerOf } from "../call.ts";
import { readUuid } from "../fields.ts";
import { memoryMessage, timestamp } from "../memory-message.ts";

/** The handler of the dashboard's ReviewService. */
export function createReviewService(context: ServiceContext): ServiceImpl<typeof ReviewService> {
  return {
    getRecord: (_, call) => getDecisionRecord(context, callerOf(call)),
    async listDecisions({ pageToken = null }, call) {
      const { entries, nextPageToken } = await listDecisions(context, callerOf(call), pageToken);
      const now = context.now();
      return {
        decisions: entries.map(({ at, memory, replacement, confidence, reason, outcome }) => ({
          at: timestamp(at),
          memory: memoryMessage(memory, now),
          replacement: replacement === null ? undefined : memoryMessage(replacement, now),
          confidence,
          reason,
          outcome,
        })),
        nextPageToken: nextPageToken ?? undefined,
      };
    },
    async listRejectedFacts({ pageToken = null }, call) {
      const { entries, nextPageToken } = await listRejected(context, callerOf(call), pageToken);
      return {
        rejectedFacts: entries.map((each) => ({
          ...each,
          rejectedAt: timestamp(each.rejectedAt),
          saidAt: timestamp(each.saidAt),
          fact: each.fact ?? undefined,
          message: each.message ?? undefined,
          messageIndex: each.messageIndex ?? undefined,
          tenantId: each.tenantId ?? undefined,
          sessionId: each.sessionId ?? undefined,
        })),
        nextPageToken: nextPageToken ?? undefined,
      };
    },
    async dismissRejectedFact({ id }, call) {
      await dismissRejected(context, callerOf(call), readUuid("id", id));
      return {};
    },
  };
}
