import { constants, type Http2ServerRequest } from "node:http2";
import { setImmediate } from "node:timers/promises";
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

/** The host, with a port or without, that the client asked; undefined: it did not say. */
export function authorityOf(req: NodeRequest): string | undefined {
  return isHttp2(req) ? req.authority : req.headers.host;
}

/** A host name or address, with a port or without (RFC 9110, section 7.2). */
const AUTHORITY = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/** Whether a text names a host: then a URL can be made with it, and nothing else ends up in that. */
export function isAuthority(text: string): boolean {
  return AUTHORITY.test(text) && URL.canParse(`http://${text}`);
}

/** The URL that the client asked for, as well as the request can tell. */
export function urlOf(req: NodeRequest): string {
  const url = req.url ?? "";
  if (!url.startsWith("/")) return url;
  const scheme = isEncrypted(req) ? "https" : "http";
  return `${scheme}://${authorityOf(req) ?? "localhost"}${url}`;
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

/** How long is waited for the body of a request, from now on. */
interface ArrivalLimit {
  /** Nothing is waited for. */
  pause(): void;
  /** The wait begins anew, by default for as long as the limit says. */
  restart(withinMs?: number): void;
}

/** The hooks of other parts into the body of a request. */
interface BodyHooks {
  /** How much of the body has been read. */
  readBytes: number;
  /** Is told how much was read. No more is read until it resolves; a rejection is the reader's. */
  onRead?: (bytes: number) => void | Promise<void>;
  /** Who has a whole message waits for it before the message is parsed; gets its length. */
  beforeParsing?: (bytes: number) => Promise<void>;
  /** For who limits how long the whole body may take. */
  arrivalLimit?: ArrivalLimit;
  /** Whether the limit is for each wait for more, and not for the whole. */
  arrivesInParts?: boolean;
}

const hooksByRequest = new WeakMap<NodeRequest, BodyHooks>();

export function bodyHooksOf(req: NodeRequest): BodyHooks {
  const known = hooksByRequest.get(req);
  if (known !== undefined) return known;
  const hooks: BodyHooks = { readBytes: 0 };
  hooksByRequest.set(req, hooks);
  return hooks;
}

/** To be awaited when a message of so many bytes is whole, and before it is parsed. */
export async function mayParse(req: NodeRequest, bytes: number): Promise<void> {
  await bodyHooksOf(req).beforeParsing?.(bytes);
}

/** Applies the limit to each wait for more, and not to the body, which may be of any length. */
export function arrivesInParts(req: NodeRequest): void {
  bodyHooksOf(req).arrivesInParts = true;
  bodyHooksOf(req).arrivalLimit?.pause();
}

/** The body as it arrives. The unread rest stays, and can be skipped. */
export async function* bodyOf(req: NodeRequest): AsyncGenerator<Buffer> {
  const hooks = bodyHooksOf(req);
  const chunks: AsyncIterable<Buffer> = req.iterator({ destroyOnReturn: false });
  const limit = hooks.arrivesInParts ? hooks.arrivalLimit : undefined;
  let bytes = 0;
  limit?.restart();
  try {
    for await (const chunk of chunks) {
      limit?.pause();
      bytes += chunk.length;
      hooks.readBytes = bytes;
      await hooks.onRead?.(bytes);
      yield chunk;
      limit?.restart();
    }
  } finally {
    limit?.pause();
  }
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  /** JSON text in pieces, each taken when the one before is on its way. */
  readonly body: Iterable<string>;
}

/** How much is read of an unwanted body. Closing at once would reset a client that still writes. */
export const MAX_DRAINED_BYTES = 8 * 1024 * 1024;

/** Headers about the connection. They are Node's to set, and HTTP/2 forbids them. */
const CONNECTION_HEADERS = ["connection", "keep-alive", "transfer-encoding", "upgrade"];

/**
 * Answers a request, also one whose body was not read. A rest of at most
 * `maxBodyBytes` is left to Node to skip; beyond that the connection is closed
 * after the answer. Does nothing when the client is gone.
 *
 * Only a body of one piece has a `content-length`. Of a longer one no more than a
 * piece or two are held, however slowly its reader takes them, and other work has its
 * turn between two pieces. Rejects when a piece cannot be made: nothing is sent yet if
 * it is one of the first two, else the response is left as it is, not ended.
 */
export async function sendResponse(
  req: NodeRequest,
  res: NodeResponse,
  { status, headers, body }: HttpResponse,
  maxBodyBytes: number,
): Promise<void> {
  if (isAbandoned(req, res) || res.headersSent) return;
  const pieces = Iterator.from(body);
  const first = pieces.next().value ?? "";
  const second = pieces.next();
  res.statusCode = status;
  setHeaders(res, headers, "application/json");
  if (second.done) res.setHeader("content-length", Buffer.byteLength(first));
  const isUnread = !req.complete && announcesBody(req);
  const isTooLong =
    isUnread && !isHttp2(req) && !(Number(req.headers["content-length"]) <= maxBodyBytes);
  if (isTooLong) res.setHeader("connection", "close");

  let last = first;
  for (let next = second; !next.done; next = pieces.next()) {
    await writePiece(req, res, last);
    if (isAbandoned(req, res)) return;
    last = next.value;
  }
  if (isTooLong) {
    res.write(last);
    drain(req, () => res.end());
  } else {
    res.end(last);
    resetUnread(res);
  }
}

/**
 * Drops the rest of a request whose response was just ended. Over HTTP/2 its stream would stay
 * open until the client has sent all of a body that nobody reads. After the response, a reset
 * is no error (RFC 9113, section 8.1).
 */
export function resetUnread(res: NodeResponse): void {
  if (!("stream" in res) || res.req.complete || res.stream.endAfterHeaders) return;
  res.stream.close(constants.NGHTTP2_NO_ERROR);
}

/** Sets the headers of a response, and those that all have. */
export function setHeaders(
  res: NodeResponse,
  headers: HttpResponse["headers"],
  contentType: string,
): void {
  for (const [name, value] of headers) {
    if (!CONNECTION_HEADERS.includes(name.toLowerCase())) res.appendHeader(name, value);
  }
  res.setHeader("content-type", contentType);
  res.setHeader("cache-control", "no-store");
  res.setHeader("x-content-type-options", "nosniff");
}

/** Writes a piece. Resolves when there is room for the next one, or nobody wants it any more. */
export async function writePiece(
  req: NodeRequest,
  res: NodeResponse,
  piece: string | Buffer,
): Promise<void> {
  if (!res.write(piece) && !isAbandoned(req, res)) {
    const { promise, resolve } = Promise.withResolvers<void>();
    res.once("drain", resolve).once("close", resolve);
    await promise;
    res.off("drain", resolve).off("close", resolve);
  }
  await setImmediate();
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

/** Breaks off what cannot be finished: no client waits, or takes half of it for the whole. */
export function breakOff(res: NodeResponse): void {
  if ("stream" in res) res.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else res.destroy();
}
