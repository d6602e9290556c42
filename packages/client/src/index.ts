/** `agent-memory/client` for Node.js. */
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { type AgentMemoryClient, type Connection, createClientOver } from "./client.ts";
import {
  connectByFetch,
  type FetchClientOptions,
  type FetchTransportName,
} from "./fetch-connections.ts";

export * from "./exports.ts";

export type TransportName = FetchTransportName | "grpc";

export interface CreateClientOptions extends FetchClientOptions {
  /** `connect` by default. */
  readonly transport?: TransportName | undefined;
}

/** A client of the service. It connects with the first call. */
export function createClient(options: CreateClientOptions): AgentMemoryClient {
  const { transport = "connect" } = options;
  const connection =
    transport === "grpc" ? connectByGrpc(options.url) : connectByFetch(transport, options);
  return createClientOver(connection, options);
}

function connectByGrpc(baseUrl: string): Connection {
  const sessionManager = new Http2SessionManager(baseUrl);
  const transport = createGrpcTransport({ baseUrl, sessionManager });
  return { transport, close: () => sessionManager.abort() };
}
