/** `agent-memory/client/grpc-js`: the client over `@grpc/grpc-js`. */
import { type AgentMemoryClient, createClientOver } from "../client.ts";
import { type CreateClientOptions, createGrpcJsTransport } from "./transport.ts";

export * from "../exports.ts";
export type { CreateClientOptions };

/** A client of the service by gRPC. It connects with the first call. */
export function createClient(options: CreateClientOptions): AgentMemoryClient {
  return createClientOver(createGrpcJsTransport(options), options);
}
