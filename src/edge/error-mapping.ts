import type { HttpError } from "@agent-memory/transcoding";
import { RestError, type RestProblem } from "@agent-memory/transcoding/rest-error";
import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  ErrorInfoSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "../../gen/google/rpc/error_details_pb.ts";
import { Failure, type FailureReason } from "../domain/failure.ts";
import type { Log } from "../log.ts";
import { currentRequestId, isCallAbandoned, noteError } from "./observed-calls.ts";

/** The domain of every `google.rpc.ErrorInfo` that the service sends. */
const ERROR_DOMAIN = "agentmemory.v1";

/** One stable word for each way in which a request can fail. */
export type ErrorReason = FailureReason | RestProblem["kind"];

/** Each failure's gRPC code and HTTP status (section 7, D13 to D15). */
export const FAILURE_STATUS: Readonly<Record<ErrorReason, { code: Code; http: number }>> = {
  malformed_body: { code: Code.InvalidArgument, http: 400 },
  missing_supersession: { code: Code.InvalidArgument, http: 400 },
  unauthenticated: { code: Code.Unauthenticated, http: 401 },
  account_suspended: { code: Code.PermissionDenied, http: 403 },
  not_permitted: { code: Code.PermissionDenied, http: 403 },
  plan_canceled: { code: Code.PermissionDenied, http: 403 },
  not_owner: { code: Code.PermissionDenied, http: 403 },
  path_not_found: { code: Code.NotFound, http: 404 },
  memory_not_found: { code: Code.NotFound, http: 404 },
  account_not_found: { code: Code.NotFound, http: 404 },
  api_key_not_found: { code: Code.NotFound, http: 404 },
  method_not_allowed: { code: Code.Unimplemented, http: 405 },
  already_superseded: { code: Code.FailedPrecondition, http: 409 },
  supersedes_itself: { code: Code.FailedPrecondition, http: 409 },
  different_tenant: { code: Code.FailedPrecondition, http: 409 },
  supersession_cycle: { code: Code.FailedPrecondition, http: 409 },
  not_restorable: { code: Code.FailedPrecondition, http: 409 },
  memory_exists: { code: Code.FailedPrecondition, http: 409 },
  tenant_not_empty: { code: Code.FailedPrecondition, http: 409 },
  replacement_ended: { code: Code.FailedPrecondition, http: 409 },
  idempotency_key_in_use: { code: Code.Aborted, http: 409 },
  idempotency_key_erased: { code: Code.FailedPrecondition, http: 409 },
  account_exists: { code: Code.FailedPrecondition, http: 409 },
  no_next_embedding_model: { code: Code.FailedPrecondition, http: 409 },
  embeddings_missing: { code: Code.FailedPrecondition, http: 409 },
  no_embedded_database: { code: Code.FailedPrecondition, http: 409 },
  no_database_server: { code: Code.FailedPrecondition, http: 409 },
  index_in_progress: { code: Code.FailedPrecondition, http: 409 },
  backup_in_progress: { code: Code.FailedPrecondition, http: 409 },
  no_sign_in_link: { code: Code.FailedPrecondition, http: 409 },
  body_too_large: { code: Code.ResourceExhausted, http: 413 },
  unsupported_media_type: { code: Code.InvalidArgument, http: 415 },
  invalid_field: { code: Code.InvalidArgument, http: 422 },
  idempotency_key_reused: { code: Code.InvalidArgument, http: 422 },
  too_many_refusals: { code: Code.ResourceExhausted, http: 429 },
  rate_limited: { code: Code.ResourceExhausted, http: 429 },
  too_many_in_flight: { code: Code.ResourceExhausted, http: 429 },
  plan_blocked: { code: Code.ResourceExhausted, http: 429 },
  write_quota_exceeded: { code: Code.ResourceExhausted, http: 429 },
  internal: { code: Code.Internal, http: 500 },
  deadline_exceeded: { code: Code.DeadlineExceeded, http: 504 },
  model_unavailable: { code: Code.Unavailable, http: 503 },
  storage_unavailable: { code: Code.Unavailable, http: 503 },
  overloaded: { code: Code.Unavailable, http: 503 },
};

/** The sentence of an error that has none for callers. */
const INTERNAL_MESSAGE = "an internal error occurred";

/** A longer text loses its middle. Over gRPC an error is a header, which has a limit. */
const MAX_ERROR_CHARACTERS = 600;

/** The beginning and the end of a text, which may repeat what a caller sent. */
function withoutMiddle(text: string): string {
  if (text.length <= MAX_ERROR_CHARACTERS) return text;
  const half = MAX_ERROR_CHARACTERS / 2;
  return `${text.slice(0, half)} … ${text.slice(-half)}`.toWellFormed();
}

/**
 * An error as gRPC tells it: code, sentence, `google.rpc.ErrorInfo` with the reason (and the
 * field), `google.rpc.RetryInfo` with the wait. A ConnectError stays as it is; whatever is neither
 * a `Failure` nor a `RestError` becomes `internal`, without a word of what it was.
 */
export function toConnectError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  const { reason, message, field, retryAfterSeconds } = describe(error);
  const { code } = FAILURE_STATUS[reason];
  const details = [...errorInfo(reason, field), ...retryInfo(retryAfterSeconds), ...requestInfo()];
  return new ConnectError(withoutMiddle(message), code, undefined, details, error);
}

type OutgoingDetail = Exclude<ConnectError["details"][number], { readonly type: string }>;

export function errorInfo(reason: ErrorReason, field?: string): OutgoingDetail[] {
  const value = create(ErrorInfoSchema, { reason, domain: ERROR_DOMAIN });
  if (field !== undefined) value.metadata = { field: withoutMiddle(field) };
  return [{ desc: ErrorInfoSchema, value }];
}

function retryInfo(seconds: number | undefined): OutgoingDetail[] {
  if (seconds === undefined) return [];
  const retryDelay = create(DurationSchema, { seconds: BigInt(seconds) });
  return [{ desc: RetryInfoSchema, value: create(RetryInfoSchema, { retryDelay }) }];
}

/** The ID by which the operator finds the call in the log. */
function requestInfo(): OutgoingDetail[] {
  const requestId = currentRequestId();
  if (requestId === undefined) return [];
  return [{ desc: RequestInfoSchema, value: create(RequestInfoSchema, { requestId }) }];
}

/** The error with a message beside its other details: what was done in spite of it. */
export function withDetail<Desc extends DescMessage>(
  error: unknown,
  desc: Desc,
  value: MessageShape<Desc>,
): ConnectError {
  const told = toConnectError(error);
  const { rawMessage, code, metadata, cause } = told;
  const details = [...outgoing(told), { desc, value }];
  return new ConnectError(rawMessage, code, metadata, details, cause);
}

function outgoing({ details }: Pick<ConnectError, "details">) {
  return details.filter((detail) => "desc" in detail);
}

interface Description {
  readonly reason: ErrorReason;
  readonly message: string;
  readonly field?: string;
  readonly retryAfterSeconds?: number;
}

function describe(error: unknown): Description {
  if (error instanceof Failure) return error;
  if (error instanceof RestError) {
    const { problem, message } = error;
    const field = problem.kind === "invalid_field" ? problem.field : undefined;
    return { reason: problem.kind, message, field };
  }
  return { reason: "internal", message: INTERNAL_MESSAGE };
}

/** The same error over REST: `{"detail", "reason", "field"}` and, for a wait, `Retry-After`. */
export function toHttpError(error: unknown): HttpError {
  const { reason, message: detail, field, retryAfterSeconds: wait } = toldOf(error);
  return {
    status: FAILURE_STATUS[reason].http,
    body: { detail, reason, field },
    headers: wait === undefined ? {} : { "retry-after": String(wait) },
  };
}

/** Without a ConnectError in between: its stack costs more than all else about a refusal. */
function toldOf(error: unknown): Description {
  if (!(error instanceof ConnectError)) {
    const { reason, message, field, retryAfterSeconds } = describe(error);
    const texts = { message: withoutMiddle(message), field: field && withoutMiddle(field) };
    return { reason, ...texts, retryAfterSeconds };
  }
  const { field } = error.findDetails(ErrorInfoSchema)[0]?.metadata ?? {};
  const wait = error.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds;
  const retryAfterSeconds = wait === undefined ? wait : Number(wait);
  return { reason: reasonOf(error), message: error.rawMessage, field, retryAfterSeconds };
}

/** The word for programs of an error as it is told. */
export function reasonOf(error: ConnectError): ErrorReason {
  const reason = error.findDetails(ErrorInfoSchema)[0]?.reason ?? "";
  if (Object.hasOwn(FAILURE_STATUS, reason)) return reason as ErrorReason;
  return REASONS_OF_CODES[error.code] ?? "internal";
}

/** A `ConnectError` of the RPC library itself is a code and a text; a reason belongs to it. */
const REASONS_OF_CODES: { readonly [code in Code]?: ErrorReason } = {
  [Code.InvalidArgument]: "invalid_field",
  [Code.OutOfRange]: "invalid_field",
  [Code.NotFound]: "path_not_found",
  [Code.ResourceExhausted]: "body_too_large",
  [Code.Unimplemented]: "unsupported_media_type",
  [Code.Unauthenticated]: "unauthenticated",
  [Code.DeadlineExceeded]: "deadline_exceeded",
  [Code.Unavailable]: "overloaded",
  [Code.Canceled]: "overloaded",
  [Code.Aborted]: "overloaded",
};

/** How the RPC library begins what it says of a message that it cannot read, or of JSON that is no object. */
const UNREADABLE =
  /^(?:parse binary|protocol error: (?!invalid \w+ timeout)|decompression failed|received compressed envelope|unexpected end flag|cannot decode message \S+Request from JSON: (?!key "|duplicate ))/;

/** An error that the RPC library found by itself, with a reason. What it cannot read is the caller's to correct (D13). */
function withReason(error: ConnectError): ConnectError {
  if (error.findDetails(ErrorInfoSchema).length > 0) return error;
  const isUnreadable = UNREADABLE.test(error.rawMessage);
  const reason = isUnreadable ? "malformed_body" : reasonOf(error);
  const [message, code] = isUnreadable
    ? ["the message cannot be read", FAILURE_STATUS.malformed_body.code]
    : [withoutMiddle(error.rawMessage), error.code];
  const details = [...errorInfo(reason), ...requestInfo(), ...outgoing(error)];
  return new ConnectError(message, code, undefined, details, error.cause);
}

/** The error as the caller of a method is told of it, once the operator was. */
export type ReportError = (error: unknown, method: string) => ConnectError;

/** Tells the operator of everything that callers are not to blame for. */
export function createErrorReporter(log: Log): ReportError {
  return (error, method) => {
    const told = withReason(toConnectError(error));
    const reason = reasonOf(told);
    noteError(told.code, reason, FAILURE_STATUS[reason].http);
    if (isCallAbandoned()) return told;
    if (told.code === Code.Internal) log.error({ err: causeOf(told), method }, "a call failed");
    else if (told.code === Code.Unavailable) {
      log.warn({ err: causeOf(told), method }, "a call was refused");
    }
    return told;
  };
}

/** The cause, which only the operator is told. */
function causeOf(error: ConnectError): unknown {
  const { cause = error } = error;
  return cause instanceof Failure ? (cause.cause ?? cause) : cause;
}
