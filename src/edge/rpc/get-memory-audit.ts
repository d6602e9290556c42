import type { JsonObject } from "@bufbuild/protobuf";
import type { MethodImpl } from "@connectrpc/connect";
import type { MemoryService } from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import type { ServiceContext } from "../../service/context.ts";
import { getMemoryAudit as getAudit } from "../../service/get-memory-audit.ts";
import { callerOf } from "./caller.ts";
import { readUuid } from "./fields.ts";
import { timestamp } from "./memory-message.ts";

/** Answers where a memory comes from and what happened to it since (4.10, D32). */
export function getMemoryAudit(
  service: ServiceContext,
): MethodImpl<typeof MemoryService.method.getMemoryAudit> {
  return async (request, context) => {
    const caller = callerOf(context);
    const memoryId = readUuid("memory_id", request.memoryId);
    const { memory, provenance, embedding, history } = await getAudit(service, caller, memoryId);
    return {
      memoryId,
      companyId: memory.companyId,
      tenantId: memory.tenantId ?? undefined,
      provenance: {
        mode: provenance.mode,
        type: memory.source,
        channel: memory.source,
        capturedAt: timestamp(memory.createdAt),
        sessionId: provenance.sessionId ?? undefined,
        originalMessage: memory.originalMessage,
        messageIndex: provenance.messageIndex ?? undefined,
      },
      extraction: provenance.extraction ?? undefined,
      embedding,
      history: history.map(({ event, at, actor, detail }) => ({
        event,
        at: timestamp(at),
        actor,
        detail: detail as JsonObject,
      })),
    };
  };
}
