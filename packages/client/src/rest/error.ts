import { ErrorInfoSchema } from "@agent-memory/gen/google/rpc/error_details_pb";
import { create, type DescMessage, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
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

/** Codes of what others in front of the service say, as gRPC reads HTTP. */
const FOREIGN_CODES: Readonly<Record<number, Code>> = {
  400: Code.Internal,
  401: Code.Unauthenticated,
  403: Code.PermissionDenied,
  404: Code.Unimplemented,
  429: Code.Unavailable,
  502: Code.Unavailable,
  503: Code.Unavailable,
  504: Code.Unavailable,
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

/** A sentence about a field begins with it, or with the line that it is on. */
const FIELD = /^(?:line \d+: )?`(.+?)` (?=[a-z])/s;

/**
 * An error over REST as gRPC would have told it, with its details; a wait stays a header.
 * `body` is null where it is no JSON object.
 */
export function restErrorOf(
  { status, headers }: Response,
  body: JsonObject | null,
  output: DescMessage,
): ConnectError {
  const { detail, reason, ...partial } = body ?? {};
  if (typeof reason !== "string" || typeof detail !== "string") {
    const text = `HTTP ${status} without an answer of the service`;
    return new ConnectError(text, FOREIGN_CODES[status] ?? Code.Unknown, headers);
  }
  const code = reason === PASSING_CONFLICT ? Code.Aborted : (CODES[status] ?? Code.Unknown);
  const field = FIELD.exec(detail)?.[1];
  const metadata: Record<string, string> = field === undefined ? {} : { field };
  const info = create(ErrorInfoSchema, { reason, metadata });
  const done =
    Object.keys(partial).length === 0
      ? []
      : [{ desc: output, value: fromRestJson(output, partial as JsonObject) }];
  return new ConnectError(detail, code, headers, [{ desc: ErrorInfoSchema, value: info }, ...done]);
}

/** The error that a stream ended with, as gRPC would have told it. */
export function streamErrorOf(body: JsonValue, headers: Headers): ConnectError {
  const { detail, reason } = Object(body) as Readonly<Record<string, unknown>>;
  const info = create(ErrorInfoSchema, { reason: String(reason) });
  const code = STREAM_CODES[reason as KnownErrorReason] ?? Code.Unknown;
  return new ConnectError(String(detail), code, headers, [{ desc: ErrorInfoSchema, value: info }]);
}
