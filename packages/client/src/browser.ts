/** `agent-memory/client` as browsers and other places without Node.js get it. */
import { type AgentMemoryClient, createClientOver } from "./client.ts";
import {
  connectByFetch,
  type FetchClientOptions,
  type FetchTransportName,
} from "./fetch-connections.ts";

export * from "./exports.ts";

export type TransportName = FetchTransportName;

export interface CreateClientOptions extends FetchClientOptions {
  /** `connect` by default. */
  readonly transport?: TransportName | undefined;
}

/** A client of the service. gRPC itself is not for browsers. */
export function createClient(options: CreateClientOptions): AgentMemoryClient {
  const { transport = "connect" } = options;
  return createClientOver(connectByFetch(transport, options), options);
}
