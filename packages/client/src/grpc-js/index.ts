/** `agent-memory/client/grpc-js`: the client over `@grpc/grpc-js`. */
import type { ChannelCredentials, ChannelOptions } from "@grpc/grpc-js";
import { type AgentMemoryClient, type ClientOptions, createClientOver } from "../client.ts";
import { isIdempotent } from "../retries.ts";
import { createGrpcJsTransport } from "./transport.ts";

export * from "../exports.ts";

export interface CreateClientOptions extends ClientOptions {
  /** Instead of plain text where `url` says `http`, and TLS with the machine's roots for `https`. */
  readonly credentials?: ChannelCredentials | undefined;
  /** Options of the channel, beside those that the client sets. */
  readonly channelOptions?: ChannelOptions | undefined;
}

/** A client of the service by gRPC. It connects with the first call. */
export function createClient(options: CreateClientOptions): AgentMemoryClient {
  const { transport, close } = createGrpcJsTransport(options);
  // The channel does it, as the service config says.
  return createClientOver({ transport, close, isRetriedBelow: isIdempotent }, options);
}
