import type { ServiceImpl } from "@connectrpc/connect";
import type { ReviewService } from "../../../../gen/agentmemory/dashboard/v1/review_service_pb.ts";
import type { ServiceContext } from "../../../service/context.ts";
import { getDecisionRecord, listDecisions } from "../../../service/decisions.ts";
import { callerOf } from "../call.ts";
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
  };
}
