import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** How long a client that was refused gets to read why. */
export const REFUSAL_LINGER_MS = 1_000;

interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly detail: string;
}

const MALFORMED: Refusal = {
  status: 400,
  reason: "malformed_request",
  detail: "The request is not valid HTTP",
};

/** By the code of the HTTP parser's error. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: "headers_too_large",
    detail: "The request's headers are too large",
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    reason: "body_too_large",
    detail: "The request's chunk extensions are too large",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: "request_timeout",
    detail: "The request took too long to arrive",
  },
};

/**
 * Answers what could not be read as an HTTP/1.1 request, and ends the connection:
 * where the next request would begin is unknown. With `answered` the client has
 * part of a response already, in which a second one would be garbage.
 */
export function refuseMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  answered: boolean,
): void {
  if (answered || !socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, reason, detail } = REFUSALS[error.code ?? ""] ?? MALFORMED;
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
