import type { ServiceImpl } from "@connectrpc/connect";
import type { PlanService } from "../../../gen/agentmemory/v1/plan_service_pb.ts";
import type { ServiceContext } from "../../service/context.ts";
import { getPlanStatus } from "../../service/plan.ts";
import { callerOf } from "./caller.ts";
import { timestamp } from "./memory-message.ts";

/** The plan of the caller's account and what it has used (4.7). */
export function createPlanService(service: ServiceContext): ServiceImpl<typeof PlanService> {
  return {
    async getPlanStatus(_, context) {
      const plan = await getPlanStatus(service, callerOf(context));
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
