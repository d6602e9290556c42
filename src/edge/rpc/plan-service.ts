import type { ServiceImpl } from "@connectrpc/connect";
import type { PlanService } from "../../../gen/agentmemory/v1/plan_service_pb.ts";
import type { ServiceContext } from "../../service/context.ts";
import { getPlanStatus } from "../../service/plan.ts";
import { callerOf } from "./call.ts";
import { timestamp } from "./memory-message.ts";

/** The handler of PlanService (4.7). */
export function createPlanService(context: ServiceContext): ServiceImpl<typeof PlanService> {
  return {
    async getPlanStatus(_, call) {
      const plan = await getPlanStatus(context, callerOf(call));
      return {
        orgId: plan.orgId,
        planTier: plan.planTier,
        planStatus: plan.planStatus,
        writesUsed: plan.writesUsed,
        writesLimit: plan.writesLimit,
        writesRemaining: plan.writesRemaining,
        periodStart: timestamp(plan.periodStart),
        inGracePeriod: plan.inGracePeriod,
        blocked: plan.blocked,
      };
    },
  };
}
