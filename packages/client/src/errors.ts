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
import { retryAfterMsOf } from "./retry-policy.ts";

/** The result of a write or an import up to its error; `$typeName` tells which. */
export type PartialResult =
  | CreateMemoriesResponse
  | BatchCreateMemoriesResponse
  | ImportMemoriesResponse;

export type ErrorFields = Omit<AgentMemoryError, keyof Error>;

/** A call that failed, in the same words whatever it was sent by. The message is for people. */
export class AgentMemoryError extends Error {
  override readonly name = "AgentMemoryError";
  /** As of gRPC, whose numbers it has. */
  declare readonly code: Code;
  /** For programs; null: the service did not answer, or something in front of it did. */
  declare readonly reason: ErrorReason | null;
  /** The field at fault, as in `messages[2].content`; null: none is. */
  declare readonly field: string | null;
  /** How long to wait before another try; null: the service did not say. */
  declare readonly retryAfterMs: number | null;
  /** By which the operator finds the call in the log; null: the service did not say. */
  declare readonly requestId: string | null;
  /** The part of a write or an import that was stored before the error; null: nothing. */
  declare readonly partial: PartialResult | null;

  constructor(message: string, fields: ErrorFields, cause?: unknown) {
    super(message, { cause });
    Object.assign(this, fields);
  }
}

/**
 * The error of a call, whatever a transport threw. `signal` is the caller's own: where it did
 * not end the call, a call that was canceled lost its connection.
 */
export function toAgentMemoryError(
  error: unknown,
  method: DescMethod,
  signal?: AbortSignal,
): AgentMemoryError {
  if (error instanceof AgentMemoryError) return error;
  const failure = ConnectError.from(error);
  const [info] = failure.findDetails(ErrorInfoSchema);
  const [request] = failure.findDetails(RequestInfoSchema);
  const [partial] = failure.findDetails(method.output);
  const told = { code: failure.code, message: failure.rawMessage };
  const { code, message } = (info === undefined && explained(failure, signal)) || told;
  return new AgentMemoryError(
    message,
    {
      code,
      reason: info?.reason ?? (code === Code.DeadlineExceeded ? "deadline_exceeded" : null),
      field: info?.metadata.field ?? null,
      retryAfterMs: waitAskedFor(failure),
      requestId: request?.requestId ?? failure.metadata.get("x-request-id"),
      partial: partial === undefined ? null : (partial as Message as PartialResult),
    },
    error,
  );
}

/** How transports begin what they say of an answer that is none of the service. */
const HTTP_STATUS = /^(?:HTTP|Received HTTP status code) (\d{3})\b/;

/** An error without a word of the service, in words for its users; null: it needs none. */
function explained(failure: ConnectError, signal: AbortSignal | undefined) {
  const { code, cause, rawMessage, metadata } = failure;
  const isLost = code === Code.Canceled && signal?.aborted !== true;
  if (isLost || (code === Code.Unknown && cause instanceof TypeError)) {
    return { code: Code.Unavailable, message: "the connection to the service broke" };
  }
  const status = Number(HTTP_STATUS.exec(rawMessage)?.[1]);
  if (Number.isNaN(status) && rawMessage !== "") return null;
  // Of JSON that it cannot read, Connect tells no status.
  const answer = Number.isNaN(status) ? "the answer" : `HTTP ${status}`;
  const answered = `${answer} came from something in front of the service`;
  if (status >= 300 && status < 400) {
    const target = metadata.get("location") ?? "another address";
    const message = `${answered}, a redirect to ${target}: use the address of the service itself`;
    return { code: Code.FailedPrecondition, message };
  }
  if (status === 413) {
    const message = `${answered}: the request is too large for it`;
    return { code: Code.ResourceExhausted, message };
  }
  const advice =
    status === 429 ? "too many requests" : "check the address, and that the service runs";
  return { code, message: `${answered}: ${advice}` };
}

function waitAskedFor(failure: ConnectError): number | null {
  const [wait] = failure.findDetails(RetryInfoSchema);
  // A proxy in front of the service may send a header.
  if (wait?.retryDelay === undefined) return retryAfterMsOf(failure.metadata);
  const { seconds, nanos } = wait.retryDelay;
  return Number(seconds) * 1_000 + Math.ceil(nanos / 1_000_000);
}
