import type { MethodImpl } from "@connectrpc/connect";
import type { MemoryService } from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { MemoryContext } from "../../service/context.ts";
import { restoreMemory as restore } from "../../service/restore-memory.ts";
import { callerOf } from "./caller.ts";
import { readUuid } from "./fields.ts";
import { optionalTimestamp } from "./memory-message.ts";

/** Takes back a supersession by the classifier; the interface has no such call, it is ours. */
export function restoreMemory(
  service: MemoryContext,
): MethodImpl<typeof MemoryService.method.restoreMemory> {
  return async (request, context) => {
    const memoryId = readUuid("memory_id", request.memoryId);
    const { replacedBy, validTo } = await restore(service, callerOf(context), memoryId);
    return { status: "restored", memoryId, replacedBy, validTo: optionalTimestamp(validTo) };
  };
}
