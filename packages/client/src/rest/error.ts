import { ErrorInfoSchema } from "@agent-memory/gen/google/rpc/error_details_pb";
import { create, type DescMessage, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { codeFromHttpStatus } from "@connectrpc/connect/protocol-connect";
import type { KnownErrorReason } from "../reasons.ts";
import { fromRestJson } from "./json.ts";

/** Codes of what the service says. */
const CODES: Readonly<Record<number, Code>> = {
  400: Code.InvalidArgument,
  401: Code.Unauthenticated,
  403: Code.PermissionDenied,
  404: Code.NotFound,
  405: Code.Unimplemented,
  409: Code.FailedPrecondition,
  413: Code.ResourceExhausted,
  415: Code.InvalidArgument,
  422: Code.InvalidArgument,
  429: Code.ResourceExhausted,
  500: Code.Internal,
  503: Code.Unavailable,
  504: Code.DeadlineExceeded,
};

/** Codes of the reasons for which a stream ends behind its beginning, where there is no status. */
const STREAM_CODES: Readonly<Partial<Record<KnownErrorReason, Code>>> = {
  unauthenticated: Code.Unauthenticated,
  too_many_in_flight: Code.ResourceExhausted,
  internal: Code.Internal,
  model_unavailable: Code.Unavailable,
  storage_unavailable: Code.Unavailable,
  overloaded: Code.Unavailable,
};

/** The one conflict that passes, which gRPC tells from the others by its code. */
const PASSING_CONFLICT = "idempotency_key_in_use";

/** An error over REST as gRPC has it; a wait stays a header. `body`: null where it is no object. */
export function restErrorOf(
  { status, headers }: Response,
  body: JsonObject | null,
  output: DescMessage,
): ConnectError {
  const { detail, reason, field, ...partial } = body ?? {};
  if (typeof reason !== "string" || typeof detail !== "string") {
    return new ConnectError(`HTTP ${status}`, codeFromHttpStatus(status), headers);
  }
  const code = reason === PASSING_CONFLICT ? Code.Aborted : (CODES[status] ?? Code.Unknown);
  const info = errorInfoOf(reason, field);
  const done =
    Object.keys(partial).length === 0
      ? []
      : [{ desc: output, value: fromRestJson(output, partial as JsonObject) }];
  return new ConnectError(detail, code, headers, [{ desc: ErrorInfoSchema, value: info }, ...done]);
}

/** The error that a stream ended with, as gRPC would have told it. */
export function streamErrorOf(body: JsonValue, headers: Headers): ConnectError {
  const { detail, reason, field } = Object(body) as Readonly<Record<string, unknown>>;
  const info = errorInfoOf(String(reason), field);
  const code = STREAM_CODES[reason as KnownErrorReason] ?? Code.Unknown;
  return new ConnectError(String(detail), code, headers, [{ desc: ErrorInfoSchema, value: info }]);
}

function errorInfoOf(reason: string, field: unknown) {
  const metadata: Record<string, string> = typeof field === "string" ? { field } : {};
  return create(ErrorInfoSchema, { reason, metadata });
}
