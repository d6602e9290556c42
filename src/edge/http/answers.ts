import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import {
  authorityOf,
  isAuthority,
  type NodeRequest,
  type NodeResponse,
  pathOf,
  resetUnread,
} from "@agent-memory/transcoding/node-http";

/** A request and what it is answered with. */
export interface Exchange {
  readonly request: NodeRequest;
  readonly response: NodeResponse;
}

/** Answers the requests for one path. */
export interface PathHandler<E extends Exchange = Exchange> {
  /** A `call` has an ID, a log line and metrics. */
  readonly kind: "page" | "call";
  /** The others are answered with 405. null: the handler sees to it. */
  readonly methods: readonly string[] | null;
  /** May reject: the port then ends the response. */
  handle(exchange: E): void | Promise<void>;
}

/** The table of what is served, by the path of the request. */
export type PathTable<E extends Exchange = Exchange> = ReadonlyMap<string, PathHandler<E>>;

/** Whether a path takes the method of a request. Where it does not, the request is answered. */
export function takesMethod(
  { methods }: Pick<PathHandler, "methods">,
  request: NodeRequest,
  response: NodeResponse,
): boolean {
  if (methods === null || methods.includes(request.method ?? "")) return true;
  const detail = `${pathOf(request)} answers ${methods.join(" and ")} only`;
  const reason = "method_not_allowed";
  sendAtOnce(response, 405, { detail, reason }, { allow: methods.join(", ") });
  return false;
}

/** Answers with a JSON body, once and whole. */
export function sendJson(
  response: NodeResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  const about = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  response.writeHead(status, { ...about, ...headers });
  response.end(text);
}

/** Answers with an error of the transport: `detail` for people, `reason` for programs (D13a). */
export function sendError(
  response: NodeResponse,
  status: number,
  reason: string,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendJson(response, status, { detail, reason }, headers);
}

/**
 * Answers a request that nothing has bounded. Over HTTP/2 the body is left out where it
 * would have to wait for its reader, who might never read it.
 */
export function sendAtOnce(
  response: NodeResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (isTakenAtOnce(response, Buffer.byteLength(JSON.stringify(body)))) {
    sendJson(response, status, body, headers);
  } else {
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.end();
  }
  resetUnread(response);
}

/** Whether a client of HTTP/2 said beforehand that it takes so many bytes. */
function isTakenAtOnce(response: NodeResponse, bytes: number): boolean {
  if (!("stream" in response)) return true;
  const { session } = response.stream;
  if (session === undefined || session.destroyed) return false;
  const { initialWindowSize = 0 } = session.remoteSettings;
  const { remoteWindowSize = 0 } = session.state;
  return bytes <= Math.min(initialWindowSize, remoteWindowSize);
}

/** Sends the client to the same host, port and path over HTTPS; 308 keeps method and body. */
export function redirectToHttps(
  request: NodeRequest,
  response: NodeResponse,
  authority = authorityOf(request),
): void {
  if (authority === undefined || !isAuthority(authority)) {
    sendAtOnce(response, 400, { detail: MALFORMED_HOST, reason: "malformed_request" });
    return;
  }
  const body = { detail: "This service is reached over HTTPS only", reason: "https_required" };
  const location = `https://${authority}${targetOf(request)}`;
  // The body that the client is about to send belongs on the other connection.
  const isHttp1 = request.httpVersionMajor === 1;
  sendAtOnce(response, 308, body, { location, ...(isHttp1 && { connection: "close" }) });
}

/**
 * The same for a request that a proxy before the service received over plain HTTP, as its
 * `X-Forwarded-Proto` says; returns false where it says something else. A proxy has a port
 * for each protocol, so that of plain HTTP is left out.
 */
export function redirectForwarded(request: NodeRequest, response: NodeResponse): boolean {
  if (forwarded(request, "x-forwarded-proto")?.toLowerCase() !== "http") return false;
  const authority = forwarded(request, "x-forwarded-host") ?? authorityOf(request);
  redirectToHttps(request, response, authority?.replace(/:\d+$/, ""));
  return true;
}

/** The first value of a header to which every proxy on the way adds one: what the client met. */
function forwarded(request: NodeRequest, name: string): string | undefined {
  const { [name]: header } = request.headers;
  return (Array.isArray(header) ? header[0] : header)?.split(",", 1)[0]?.trim() || undefined;
}

/** Path and query, also of a request line that holds a whole URL, as proxies send it. */
function targetOf(request: NodeRequest): string {
  const target = request.url ?? "/";
  if (target.startsWith("/")) return target;
  const url = URL.parse(target);
  return url === null ? "/" : url.pathname + url.search;
}

/** The error of a request whose Host header, or `:authority`, is no host. */
export const MALFORMED_HOST =
  "The Host header must be a host name or address, with a port or without";

/** How long a client that was refused gets to read why. */
export const REFUSAL_LINGER_MS = 1_000;

type Refusal = readonly [status: number, reason: string, detail: string];

const MALFORMED: Refusal = [400, "malformed_request", "The request is not valid HTTP"];

/** By the code of the HTTP parser's error. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [431, "headers_too_large", "The request's headers are too large"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "body_too_large", "The chunk extensions are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "request_timeout", "The request took too long to arrive"],
};

/**
 * Answers what could not be read as an HTTP/1.1 request, and ends the connection:
 * where the next request would begin is unknown. With `answered` the client has
 * part of a response already, in which a second one would be garbage.
 */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex, answered: boolean) {
  if (answered || !socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, reason, detail] = REFUSALS[error.code ?? ""] ?? MALFORMED;
  const body = JSON.stringify({ detail, reason });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Connection: close",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "",
      body,
    ].join("\r\n"),
  );
  // Destroyed at once, the kernel may drop the answer along with what was not read.
  setTimeout(() => socket.destroy(), REFUSAL_LINGER_MS).unref();
}
