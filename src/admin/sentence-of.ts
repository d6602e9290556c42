import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import type { AdminAddress } from "./admin-client.ts";

/** What the operator is told of a call that failed. */
export function sentenceOf(error: unknown, { host, port }: AdminAddress): string {
  if (!(error instanceof ConnectError)) return error instanceof Error ? error.message : `${error}`;
  // The service gives each of its errors an ErrorInfo; without one, nobody there spoke.
  const answered = error.findDetails(ErrorInfoSchema).length > 0;
  if (answered || error.code !== Code.Unavailable) return error.rawMessage;
  return `cannot reach the admin service at ${host}:${port}: is the service running?`;
}
