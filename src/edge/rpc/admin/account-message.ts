import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AccountSchema } from "../../../../gen/agentmemory/admin/v1/admin_service_pb.ts";
import type { AccountOverview } from "../../../service/admin/account-overview.ts";
import { optionalTimestamp, timestamp } from "../memory-message.ts";

/** An account as the operator is sent it. */
export function accountMessage({
  account,
  limits,
  usage,
}: AccountOverview): MessageInitShape<typeof AccountSchema> {
  return {
    companyId: account.companyId,
    orgId: account.orgId,
    planTier: account.planTier,
    planStatus: account.planStatus,
    writesUsed: usage.writesUsed,
    writesLimit: limits.writesLimit,
    writesRemaining: usage.writesRemaining,
    periodStart: timestamp(usage.periodStart),
    graceDays: limits.graceDays,
    graceEndsAt: optionalTimestamp(usage.graceEndsAt),
    rate: limits.rate,
    burst: limits.burst,
    createdAt: timestamp(account.createdAt),
    inGracePeriod: usage.inGracePeriod,
    blocked: usage.blocked,
  };
}
