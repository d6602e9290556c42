import { StatusSchema } from "@agent-memory/gen/google/rpc/status_pb";
import { fromBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { ServiceError } from "@grpc/grpc-js";
import { headersOf } from "./metadata.ts";

/** An error of `@grpc/grpc-js` with the details that the service sent. */
export function toConnectError(error: unknown): ConnectError {
  if (!isServiceError(error)) return ConnectError.from(error ?? "no answer", Code.Internal);
  const headers = headersOf(error.metadata);
  const known = new ConnectError(error.details, error.code as number, headers, undefined, error);
  const [binary] = error.metadata.get("grpc-status-details-bin");
  if (Buffer.isBuffer(binary)) {
    known.details = fromBinary(StatusSchema, binary).details.map(({ typeUrl, value }) => ({
      type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
      value,
    }));
  }
  return known;
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "metadata" in error && "details" in error && "code" in error;
}
