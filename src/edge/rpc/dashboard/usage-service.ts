import type { ServiceImpl } from "@connectrpc/connect";
import type { UsageService } from "../../../../gen/agentmemory/dashboard/v1/usage_service_pb.ts";
import { DEFAULT_USAGE_DAYS, MAX_USAGE_DAYS } from "../../../domain/daily-usage.ts";
import type { ServiceContext } from "../../../service/context.ts";
import { getUsage, type UsageLedger } from "../../../service/usage-ledger.ts";
import { callerOf } from "../call.ts";
import { readWholeNumber } from "../fields.ts";

const DAYS = { min: 1, max: MAX_USAGE_DAYS, fallback: DEFAULT_USAGE_DAYS };

/** The handler of the dashboard's UsageService. */
export function createUsageService(
  context: ServiceContext,
  ledger: UsageLedger,
): ServiceImpl<typeof UsageService> {
  return {
    async getUsage(request, call) {
      const days = readWholeNumber("days", request.days, DAYS);
      const { calls, tokens } = await getUsage(context, ledger, callerOf(call), days);
      return {
        calls: [...calls],
        tokens: tokens.map(({ inputTokens, outputTokens, ...each }) => ({
          ...each,
          inputTokens: BigInt(inputTokens),
          outputTokens: BigInt(outputTokens),
        })),
      };
    },
  };
}
