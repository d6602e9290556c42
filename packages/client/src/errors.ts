import type {
  BatchCreateMemoriesResponse,
  CreateMemoriesResponse,
  ImportMemoriesResponse,
} from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import {
  ErrorInfoSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "@agent-memory/gen/google/rpc/error_details_pb";
import type { DescMethod, Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { ErrorReason } from "./reasons.ts";

/** The result of a write or an import up to its error; `$typeName` tells which. */
export type PartialResult =
  | CreateMemoriesResponse
  | BatchCreateMemoriesResponse
  | ImportMemoriesResponse;

export interface ErrorFields {
  readonly code: Code;
  readonly reason: ErrorReason | null;
  readonly field: string | null;
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
  readonly partial: PartialResult | null;
}

/** A call that failed, in the same words whatever it was sent by. The message is for people. */
export class AgentMemoryError extends Error {
  override readonly name = "AgentMemoryError";
  /** As of gRPC, whose numbers it has. */
  readonly code: Code;
  /** For programs; null: the service did not answer, or something in front of it did. */
  readonly reason: ErrorReason | null;
  /** The field at fault, as in `messages[2].content`; null: none is. */
  readonly field: string | null;
  /** How long to wait before another try; null: the service did not say. */
  readonly retryAfterMs: number | null;
  /** By which the operator finds the call in the log; null: the service did not say. */
  readonly requestId: string | null;
  /** The part of a write or an import that was stored before the error; null: nothing. */
  readonly partial: PartialResult | null;

  constructor(message: string, fields: ErrorFields, cause?: unknown) {
    super(message, { cause });
    this.code = fields.code;
    this.reason = fields.reason;
    this.field = fields.field;
    this.retryAfterMs = fields.retryAfterMs;
    this.requestId = fields.requestId;
    this.partial = fields.partial;
  }
}

/** The error of a call, whatever a transport threw. */
export function toAgentMemoryError(error: unknown, method: DescMethod): AgentMemoryError {
  if (error instanceof AgentMemoryError) return error;
  const failure = ConnectError.from(error);
  const [info] = failure.findDetails(ErrorInfoSchema);
  const [request] = failure.findDetails(RequestInfoSchema);
  const [partial] = failure.findDetails(method.output);
  const code = info === undefined && isBrokenConnection(failure) ? Code.Unavailable : failure.code;
  return new AgentMemoryError(
    failure.rawMessage,
    {
      code,
      reason: info?.reason ?? (code === Code.DeadlineExceeded ? "deadline_exceeded" : null),
      field: info?.metadata.field ?? null,
      retryAfterMs: retryAfterMsOf(failure),
      requestId: request?.requestId ?? failure.metadata.get("x-request-id"),
      partial: partial === undefined ? null : (partial as Message as PartialResult),
    },
    error,
  );
}

/** Whether `fetch` could not open the connection, or lost it before the answer ended. */
function isBrokenConnection({ code, cause }: ConnectError): boolean {
  return code === Code.Unknown && cause instanceof TypeError;
}

function retryAfterMsOf(failure: ConnectError): number | null {
  const [wait] = failure.findDetails(RetryInfoSchema);
  if (wait?.retryDelay !== undefined) {
    const { seconds, nanos } = wait.retryDelay;
    return Number(seconds) * 1_000 + Math.ceil(nanos / 1_000_000);
  }
  // A proxy in front of the service may send it. A date is ignored.
  const seconds = failure.metadata.get("retry-after");
  return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1_000 : null;
}
