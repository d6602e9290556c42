import { constants } from "node:http2";
import {
  announcesBody,
  isAbandoned,
  isHttp2,
  type NodeRequest,
  type NodeResponse,
} from "./node-http.ts";

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

/** Breaks a request off: its client would wait for an answer that cannot be given. */
export function breakOff(req: NodeRequest, res: NodeResponse): void {
  if (isHttp2(req)) req.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else res.destroy();
}
