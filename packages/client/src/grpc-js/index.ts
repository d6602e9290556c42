/** `agent-memory/client/grpc-js`: the client over `@grpc/grpc-js`. */
import { type AgentMemoryClient, createClientOver } from "../client.ts";
import { isIdempotent } from "../retries.ts";
import { type CreateClientOptions, createGrpcJsTransport } from "./transport.ts";

export * from "../exports.ts";
export type { CreateClientOptions };

/** A client of the service by gRPC. It connects with the first call. */
export function createClient(options: CreateClientOptions): AgentMemoryClient {
  const { transport, close } = createGrpcJsTransport(options);
  // The channel does it, as the service config says.
  return createClientOver({ transport, close, isRetriedBelow: isIdempotent }, options);
}
