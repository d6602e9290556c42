import type { ServiceImpl } from "@connectrpc/connect";
import type { MemoryService } from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { MemoryContext } from "../../service/context.ts";
import { createMemories } from "./create-memories.ts";
import { deleteMemories } from "./delete-memories.ts";
import { getMemoryAudit } from "./get-memory-audit.ts";
import { getMemoryTimeline } from "./get-memory-timeline.ts";
import { listMemories } from "./list-memories.ts";
import { queryMemories } from "./query-memories.ts";
import { restoreMemory } from "./restore-memory.ts";
import { supersedeMemory } from "./supersede-memory.ts";

/** The handlers of MemoryService: translate, delegate, translate. */
export function createMemoryService(service: MemoryContext): ServiceImpl<typeof MemoryService> {
  return {
    createMemories: createMemories(service),
    listMemories: listMemories(service),
    deleteMemories: deleteMemories(service),
    queryMemories: queryMemories(service),
    supersedeMemory: supersedeMemory(service),
    restoreMemory: restoreMemory(service),
    getMemoryTimeline: getMemoryTimeline(service),
    getMemoryAudit: getMemoryAudit(service),
  };
}
