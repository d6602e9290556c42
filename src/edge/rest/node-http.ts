import { constants, type Http2ServerRequest } from "node:http2";
import type { connectNodeAdapter } from "@connectrpc/connect-node";

type ConnectHandler = ReturnType<typeof connectNodeAdapter>;

/** A request and its response, whichever version of HTTP the client speaks. */
export type NodeRequest = Parameters<ConnectHandler>[0];
export type NodeResponse = Parameters<ConnectHandler>[1];

/** A listener for requests of HTTP/1.1 and of HTTP/2. */
export type NodeHandler = (req: NodeRequest, res: NodeResponse) => void | Promise<void>;

export function isHttp2(
  req: NodeRequest,
): req is NodeRequest & Pick<Http2ServerRequest, "stream" | "authority"> {
  return "stream" in req;
}

/** Whether the request came over TLS. */
export function isEncrypted(req: NodeRequest): boolean {
  return "encrypted" in req.socket && req.socket.encrypted === true;
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
  const scheme = isEncrypted(req) ? "https" : "http";
  const authority = isHttp2(req) ? req.authority : req.headers.host;
  return `${scheme}://${authority ?? "localhost"}${url}`;
}

/** The path of a request without its query; null for `*` and other targets that aren't paths. */
export function pathOf(req: NodeRequest): string | null {
  const path = req.url?.split("?", 1)[0];
  return path?.startsWith("/") ? path : null;
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

export interface HttpResponse {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  /** JSON text. */
  readonly body: string;
}

/**
 * How much is still read of a body that nobody wants. To close its connection at
 * once would reset it, and a client that is still writing might never see the
 * answer.
 */
export const MAX_DRAINED_BYTES = 8 * 1024 * 1024;

/** Headers about the connection. They are Node's to set, and HTTP/2 forbids them. */
const CONNECTION_HEADERS = ["connection", "keep-alive", "transfer-encoding", "upgrade"];

/**
 * Answers a request, also one whose body was not read. A rest of at most
 * `maxBodyBytes` is left to Node to skip; beyond that the connection is closed
 * after the answer. Does nothing when the client is gone.
 */
export function sendResponse(
  req: NodeRequest,
  res: NodeResponse,
  { status, headers, body }: HttpResponse,
  maxBodyBytes: number,
): void {
  if (isAbandoned(req, res) || res.headersSent) return;
  const bytes = Buffer.from(body);
  res.statusCode = status;
  for (const [name, value] of headers) {
    if (!CONNECTION_HEADERS.includes(name.toLowerCase())) res.appendHeader(name, value);
  }
  res.setHeader("content-type", "application/json");
  res.setHeader("content-length", bytes.length);
  res.setHeader("cache-control", "no-store");
  res.setHeader("x-content-type-options", "nosniff");

  if (req.complete || !announcesBody(req)) {
    res.end(bytes);
  } else if (isHttp2(req)) {
    res.end(bytes);
    // Once the response is out, a reset that blames nobody (RFC 9113, section 8.1).
    req.stream.close(constants.NGHTTP2_NO_ERROR);
  } else if (Number(req.headers["content-length"]) <= maxBodyBytes) {
    res.end(bytes);
  } else {
    res.setHeader("connection", "close");
    res.write(bytes);
    drain(req, () => res.end());
  }
}

/** Reads on, for nothing, until the request ends or the limit is reached. */
function drain(req: NodeRequest, done: () => void): void {
  let drained = 0;
  req.on("data", (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > MAX_DRAINED_BYTES) done();
  });
  req.once("end", done);
  req.once("close", done);
  req.resume();
}

/**
 * Breaks a response off that cannot be finished, so that no client waits for it or
 * takes half of it for the whole.
 */
export function breakOff(res: NodeResponse): void {
  if ("stream" in res) res.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else res.destroy();
}
