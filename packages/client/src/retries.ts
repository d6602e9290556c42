import { MemoryService } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import type { DescMethod } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import type { AgentMemoryError } from "./errors.ts";

/** The RPCs that an `idempotency-key` makes safe to repeat. */
export const KEYED_METHODS: ReadonlySet<DescMethod> = new Set<DescMethod>([
  MemoryService.method.createMemories,
  MemoryService.method.batchCreateMemories,
  MemoryService.method.supersedeMemory,
]);

/** Whether a call that was sent twice has done no more than once. */
export function isRepeatable(method: DescMethod): boolean {
  return isIdempotent(method) || KEYED_METHODS.has(method);
}

/** Whether an RPC can be repeated without a key. */
export function isIdempotent({ idempotency }: DescMethod): boolean {
  return idempotency !== Idempotency.IDEMPOTENCY_UNKNOWN;
}

/** Whether what made a call fail may pass. */
export function isPassing({ code, reason }: AgentMemoryError): boolean {
  if (code === Code.Unavailable || reason === "idempotency_key_in_use") return true;
  // Without a word of the service a connection was reset.
  return code === Code.Aborted && reason === null;
}
