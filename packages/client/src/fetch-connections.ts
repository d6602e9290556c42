import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import type { ClientOptions, Connection } from "./client.ts";
import { type Fetch, fetchDirectly } from "./fetch.ts";
import { createRestTransport } from "./rest/transport.ts";

/** The transports that need no more than `fetch`, which Node.js has too. */
export type FetchTransportName = "connect" | "grpc-web" | "rest";

export interface FetchClientOptions extends ClientOptions {
  /** In place of the platform's `fetch`: for cookies, proxies, tests. */
  readonly fetch?: Fetch | undefined;
}

/** Opens nothing before the first call. */
export function connectByFetch(name: FetchTransportName, options: FetchClientOptions): Connection {
  const baseUrl = options.url.replace(/\/+$/, "");
  // A path alone is for pages: it is one of their own origin.
  if (!/^(?:https?:\/\/|\/|$)/i.test(baseUrl)) {
    throw new TypeError(`\`url\` must be like https://memory.example.com, not ${baseUrl}`);
  }
  // Looked up when it is called: whoever replaces the global one later is heard.
  const fetch = fetchDirectly(options.fetch ?? ((...call) => globalThis.fetch(...call)));
  const transports = {
    connect: () => createConnectTransport({ baseUrl, fetch, useBinaryFormat: true }),
    "grpc-web": () => createGrpcWebTransport({ baseUrl, fetch }),
    rest: () => createRestTransport(baseUrl, fetch),
  };
  return { transport: transports[name](), close: () => {} };
}
