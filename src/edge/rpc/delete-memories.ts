import type { MethodImpl } from "@connectrpc/connect";
import type { MemoryService } from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { MAX_TENANT_ID_CHARACTERS } from "../../domain/limits.ts";
import type { ServiceContext } from "../../service/context.ts";
import { deleteMemories as deleteOwnMemories } from "../../service/delete-memories.ts";
import { callerOf } from "./caller.ts";
import { readOptionalLabel } from "./fields.ts";

/** Deletes the memories of one tenant, or of the whole account, for good (4.3). */
export function deleteMemories(
  service: ServiceContext,
): MethodImpl<typeof MemoryService.method.deleteMemories> {
  return async (request, context) => {
    const caller = callerOf(context);
    const tenantId =
      readOptionalLabel("tenant_id", request.tenantId, MAX_TENANT_ID_CHARACTERS) ?? undefined;
    const deletedCount = await deleteOwnMemories(service, caller, tenantId);
    return { status: "deleted", companyId: caller.companyId, tenantId, deletedCount };
  };
}
