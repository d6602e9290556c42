import { MemoryService } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import type { DescMethod } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import type { AgentMemoryError } from "./errors.ts";
import type { ErrorReason } from "./reasons.ts";

/** The RPCs that an `idempotency-key` makes safe to repeat. */
export const KEYED_METHODS: ReadonlySet<DescMethod> = new Set<DescMethod>([
  MemoryService.method.createMemories,
  MemoryService.method.batchCreateMemories,
  MemoryService.method.supersedeMemory,
]);

export interface RetryPolicy {
  /** How often a call is sent at most; 1: no retries. */
  readonly maxAttempts: number;
  /** Where the service asks for a longer wait, the error is given to the caller. */
  readonly maxRetryWaitMs: number;
}

/** Nothing was done, whatever the RPC is: the gate refused it. */
const REFUSED_AT_THE_GATE: readonly (ErrorReason | null)[] = [
  "rate_limited",
  "too_many_in_flight",
  "too_many_refusals",
];

const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 5_000;

/**
 * How long to wait before a call is sent again that failed `attempt` times; null: it must
 * not be. The wait is the one that the service asks for, plus a random part of a backoff that
 * doubles, so that clients that failed together do not return together.
 */
export function retryWaitMs(
  error: AgentMemoryError,
  method: DescMethod,
  attempt: number,
  policy: RetryPolicy,
  random: () => number,
): number | null {
  const asked = error.retryAfterMs ?? 0;
  if (attempt >= policy.maxAttempts || asked > policy.maxRetryWaitMs) return null;
  if (!REFUSED_AT_THE_GATE.includes(error.reason)) {
    if (!isRepeatable(method) || !mayPass(error)) return null;
  }
  return asked + random() * Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
}

/** Whether a call that was sent twice has done no more than once. */
function isRepeatable(method: DescMethod): boolean {
  return isIdempotent(method) || KEYED_METHODS.has(method);
}

/** Whether an RPC can be repeated without a key. */
export function isIdempotent({ idempotency }: DescMethod): boolean {
  return idempotency !== Idempotency.IDEMPOTENCY_UNKNOWN;
}

function mayPass({ code, reason }: AgentMemoryError): boolean {
  if (code === Code.Unavailable || reason === "idempotency_key_in_use") return true;
  // Without a word of the service a connection was reset.
  return code === Code.Aborted && reason === null;
}
