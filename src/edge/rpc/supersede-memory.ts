import type { MethodImpl } from "@connectrpc/connect";
import {
  type MemoryService,
  SupersedeMemoryRequestSchema,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { Failure } from "../../domain/failure.ts";
import type { ServiceContext } from "../../service/context.ts";
import { supersedeMemory as supersede } from "../../service/supersede-memory.ts";
import { callerOf } from "./caller.ts";
import { readInstant, readUuid } from "./fields.ts";
import { readIdempotency } from "./idempotency.ts";
import { timestamp } from "./memory-message.ts";

/** Ends a memory by a replacement, a time or both (4.8). */
export function supersedeMemory(
  service: ServiceContext,
): MethodImpl<typeof MemoryService.method.supersedeMemory> {
  return async (request, context) => {
    const caller = callerOf(context);
    const hasEnd = request.supersededBy !== undefined || request.validTo !== undefined;
    if (!hasEnd) {
      throw new Failure(
        "missing_supersession",
        "at least one of `superseded_by` and `valid_to` must be given",
      );
    }
    const idempotency = readIdempotency(context, SupersedeMemoryRequestSchema, request);
    const memoryId = readUuid("memory_id", request.memoryId);
    const supersededBy =
      request.supersededBy === undefined ? null : readUuid("superseded_by", request.supersededBy);
    const validTo = readInstant("valid_to", request.validTo);
    const stored = await supersede(
      service,
      caller,
      memoryId,
      { supersededBy, validTo },
      idempotency,
    );
    return {
      status: "superseded",
      memoryId,
      supersededBy: stored.supersededBy ?? undefined,
      validTo: timestamp(stored.validTo),
    };
  };
}
