import type { ServiceImpl } from "@connectrpc/connect";
import { PlanService } from "../../../gen/agentmemory/v1/plan_service_pb.ts";
import type { ServiceContext } from "../../service/context.ts";
import { getPlanStatus } from "../../service/plan.ts";
import { callerOf } from "./call.ts";
import { implement } from "./messages.ts";

/** The handler of PlanService (4.7). */
export function createPlanService(context: ServiceContext): ServiceImpl<typeof PlanService> {
  return implement(PlanService, {
    getPlanStatus: (_, call) => getPlanStatus(context, callerOf(call)),
  });
}
