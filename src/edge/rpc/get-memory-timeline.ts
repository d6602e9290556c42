import type { MethodImpl } from "@connectrpc/connect";
import type { MemoryService } from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { ServiceContext } from "../../service/context.ts";
import { getMemoryTimeline as getChain } from "../../service/get-memory-timeline.ts";
import { callerOf } from "./caller.ts";
import { readUuid } from "./fields.ts";
import { memoryMessage } from "./memory-message.ts";

/** Answers the whole chain of a memory, oldest version first (4.9). */
export function getMemoryTimeline(
  service: ServiceContext,
): MethodImpl<typeof MemoryService.method.getMemoryTimeline> {
  return async (request, context) => {
    const caller = callerOf(context);
    const memoryId = readUuid("memory_id", request.memoryId);
    const chain = await getChain(service, caller, memoryId);
    const now = service.now();
    return {
      memoryId,
      companyId: caller.companyId,
      chainLength: chain.length,
      timeline: chain.map((memory) => memoryMessage(memory, now)),
    };
  };
}
