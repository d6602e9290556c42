import type { MethodImpl } from "@connectrpc/connect";
import type { MemoryService } from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import {
  DEFAULT_LIST_LIMIT,
  MAX_LIST_LIMIT,
  MAX_SOURCE_CHARACTERS,
  MAX_TENANT_ID_CHARACTERS,
} from "../../domain/limits.ts";
import type { ServiceContext } from "../../service/context.ts";
import { listMemories as listOwnMemories } from "../../service/list-memories.ts";
import { callerOf } from "./caller.ts";
import { readInstant, readOptionalLabel, readWholeNumber } from "./fields.ts";
import { memoryMessage, optionalTimestamp } from "./memory-message.ts";

/** Answers a page of the memories of one tenant, newest first (4.2). */
export function listMemories(
  service: ServiceContext,
): MethodImpl<typeof MemoryService.method.listMemories> {
  return async (request, context) => {
    const caller = callerOf(context);
    const query = {
      tenantId: readOptionalLabel("tenant_id", request.tenantId, MAX_TENANT_ID_CHARACTERS),
      source: readOptionalLabel("source", request.source, MAX_SOURCE_CHARACTERS),
      includeSuperseded: request.includeSuperseded ?? false,
      asOf: readInstant("as_of", request.asOf),
      limit: readWholeNumber("limit", request.limit, {
        min: 1,
        max: MAX_LIST_LIMIT,
        fallback: DEFAULT_LIST_LIMIT,
      }),
      pageToken: request.pageToken ?? null,
    };
    const { memories, nextPageToken } = await listOwnMemories(service, caller, query);
    const now = service.now();
    return {
      companyId: caller.companyId,
      tenantId: query.tenantId ?? undefined,
      asOf: optionalTimestamp(query.asOf),
      includeSuperseded: query.includeSuperseded,
      source: query.source ?? undefined,
      count: memories.length,
      supersededCount: memories.filter(({ supersededAt }) => supersededAt !== null).length,
      memories: memories.map((memory) => memoryMessage(memory, now)),
      nextPageToken: nextPageToken ?? undefined,
    };
  };
}
