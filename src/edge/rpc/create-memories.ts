import { create } from "@bufbuild/protobuf";
import { ConnectError, type MethodImpl } from "@connectrpc/connect";
import {
  CreateMemoriesRequestSchema,
  CreateMemoriesResponseSchema,
  type MemoryService,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { Failure } from "../../domain/failure.ts";
import type { MemoryContext } from "../../service/context.ts";
import { createContentMemory } from "../../service/create-content-memory.ts";
import {
  createExtractedMemories,
  type ExtractedMemories,
} from "../../service/create-extracted-memories.ts";
import { toConnectError } from "../error-mapping.ts";
import { callerOf } from "./caller.ts";
import { contentResponse, messagesResponse, type WriteOwner } from "./create-memories-response.ts";
import { readIdempotency } from "./idempotency.ts";
import { readCreateMemories } from "./read-create-memories.ts";

/** Stores one fact as given, or the facts that a model finds in a conversation (4.1). */
export function createMemories(
  service: MemoryContext,
): MethodImpl<typeof MemoryService.method.createMemories> {
  return async (request, context) => {
    const caller = callerOf(context);
    const idempotency = readIdempotency(context, CreateMemoriesRequestSchema, request);
    const { mode, write } = readCreateMemories(request, service.now());
    const owner = { companyId: caller.companyId, tenantId: write.tenantId };
    if (mode === "content") {
      const created = await createContentMemory(
        service,
        caller,
        write,
        idempotency,
        context.signal,
      );
      return contentResponse(owner, created);
    }
    try {
      const extracted = await createExtractedMemories(
        service,
        caller,
        write,
        idempotency,
        context.signal,
      );
      return messagesResponse(owner, extracted);
    } catch (error) {
      throw withPartialResponse(error, owner);
    }
  };
}

/** What the quota cut short travels as a detail of its error, in the method's own words (D29). */
function withPartialResponse(error: unknown, owner: WriteOwner): unknown {
  if (!(error instanceof Failure) || error.partialResult === undefined) return error;
  const partial = messagesResponse(owner, error.partialResult as ExtractedMemories);
  const { rawMessage, code, details, cause } = toConnectError(error);
  const outgoing = details.filter((detail) => "desc" in detail);
  const detail = {
    desc: CreateMemoriesResponseSchema,
    value: create(CreateMemoriesResponseSchema, partial),
  };
  return new ConnectError(rawMessage, code, undefined, [...outgoing, detail], cause);
}
