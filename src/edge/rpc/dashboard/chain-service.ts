import type { ServiceImpl } from "@connectrpc/connect";
import type { ChainService } from "../../../../gen/agentmemory/dashboard/v1/chain_service_pb.ts";
import { invalidField } from "../../../domain/failure.ts";
import type { ServiceContext } from "../../../service/context.ts";
import { listChainEnds } from "../../../service/decisions.ts";
import { callerOf } from "../call.ts";
import { readMemoryId } from "../fields.ts";
import { timestamp } from "../memory-message.ts";

/** As many versions as a picture of a chain shows. */
const MAX_ENDS = 100;

/** The handler of the dashboard's ChainService. */
export function createChainService(context: ServiceContext): ServiceImpl<typeof ChainService> {
  return {
    async listEnds({ memoryIds }, call) {
      if (memoryIds.length < 1 || memoryIds.length > MAX_ENDS) {
        throw invalidField("memory_ids", `must have 1 to ${MAX_ENDS} IDs`);
      }
      const ids = memoryIds.map((id, index) => readMemoryId(`memory_ids[${index}]`, id));
      const ends = await listChainEnds(context, callerOf(call), ids);
      return {
        ends: ends.map(({ memoryId, at, actor, decision }) => ({
          memoryId,
          at: timestamp(at),
          actor,
          confidence: decision?.confidence,
          reason: decision?.reason || undefined,
        })),
      };
    },
  };
}
