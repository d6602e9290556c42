import {
  isEncrypted,
  type NodeRequest,
  type NodeResponse,
} from "@agent-memory/transcoding/node-http";
import { type ContextValues, createContextKey, createContextValues } from "@connectrpc/connect";
import { remoteAddressOf } from "./http/remote-address.ts";

/** Where a call came from. */
export interface Origin {
  readonly request: NodeRequest;
  /** What the caller is sent; its event `close` says that that has ended. */
  readonly response: NodeResponse;
  /** Whom to count by: an address, or the network of an IPv6 one. */
  readonly address: string;
  /** Whether it came over TLS, to the service or to the proxy before it. */
  readonly isSecure: boolean;
}

const originKey = createContextKey<Origin | null>(null, { description: "where it came from" });

/** The values that every call starts with. `trustProxy`: a proxy tells who its clients are. */
export function contextValuesOf(
  trustProxy: boolean,
): (request: NodeRequest, response: NodeResponse) => ContextValues {
  return (request, response) =>
    createContextValues().set(originKey, originOfRequest(request, response, trustProxy));
}

export function originOfRequest(
  request: NodeRequest,
  response: NodeResponse,
  trustProxy: boolean,
): Origin {
  return {
    request,
    response,
    address: remoteAddressOf(request, trustProxy),
    // What a proxy received over plain HTTP has been redirected.
    isSecure: trustProxy || isEncrypted(request),
  };
}

export function originOf(values: ContextValues): Origin {
  const origin = values.get(originKey);
  if (origin === null) throw new Error("a call came from nowhere");
  return origin;
}
