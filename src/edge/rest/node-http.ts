import type { Http2ServerRequest } from "node:http2";
import type { connectNodeAdapter } from "@connectrpc/connect-node";

/** A listener for requests of HTTP/1.1 and of HTTP/2. */
export type NodeHandler = ReturnType<typeof connectNodeAdapter>;
export type NodeRequest = Parameters<NodeHandler>[0];
export type NodeResponse = Parameters<NodeHandler>[1];

export function isHttp2(
  req: NodeRequest,
): req is NodeRequest & Pick<Http2ServerRequest, "stream" | "authority"> {
  return "stream" in req;
}

/** The headers of a request, without the pseudo headers of HTTP/2. */
export function headersOf(req: NodeRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries<string | string[] | undefined>(req.headers)) {
    if (value === undefined || name.startsWith(":")) continue;
    headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  return headers;
}

/** The URL that the client asked for, as well as the request can tell. */
export function urlOf(req: NodeRequest): string {
  const url = req.url ?? "";
  if (!url.startsWith("/")) return url;
  const scheme = "encrypted" in req.socket && req.socket.encrypted ? "https" : "http";
  const authority = isHttp2(req) ? req.authority : req.headers.host;
  return `${scheme}://${authority ?? "localhost"}${url}`;
}

/** Whether the headers announce a body. It may turn out to be empty. */
export function announcesBody(req: NodeRequest): boolean {
  if (isHttp2(req)) return !req.stream.endAfterHeaders;
  const { "content-length": length, "transfer-encoding": coding } = req.headers;
  return length !== undefined || coding !== undefined;
}

/** Whether nobody waits for the response any more. */
export function isAbandoned(req: NodeRequest, res: NodeResponse): boolean {
  return isHttp2(req) ? req.stream.destroyed : res.destroyed;
}
