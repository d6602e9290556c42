import { Code, type ConnectError } from "@connectrpc/connect";
import { RetryInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";

/**
 * The trailer by which gRPC libraries that retry by themselves go (gRFC A6): the milliseconds
 * after which they do, or a negative number, and they do not.
 */
export const PUSHBACK_TRAILER = "grpc-retry-pushback-ms";

/** A longer wait is for people: a library that waited for the next billing period would hang. */
export const MAX_PUSHBACK_MS = 30_000;

/**
 * What an error asks of them; null: nothing, their own policy holds. RESOURCE_EXHAUSTED is a
 * rate, which passes, but also a message that is too large, which never does.
 */
export function pushbackOf(error: ConnectError): string | null {
  const seconds = error.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds;
  if (seconds === undefined) return error.code === Code.ResourceExhausted ? "-1" : null;
  const waitMs = Number(seconds) * 1_000;
  return waitMs > MAX_PUSHBACK_MS ? "-1" : String(waitMs);
}
