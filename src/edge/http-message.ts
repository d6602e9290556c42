import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

/** A request and its response, whichever version of HTTP the client speaks. */
export type EdgeRequest = IncomingMessage | Http2ServerRequest;
export type EdgeResponse = ServerResponse | Http2ServerResponse;
export type EdgeHandler = (request: EdgeRequest, response: EdgeResponse) => void | Promise<void>;

/** The path without its query; null for `*` and other targets that aren't paths. */
export function pathOf(request: EdgeRequest): string | null {
  const path = request.url?.split("?", 1)[0];
  return path?.startsWith("/") ? path : null;
}

/** Answers with a JSON body, once and whole. */
export function sendJson(
  response: EdgeResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.setHeader("content-length", Buffer.byteLength(text));
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(text);
}

/** Answers with an error of the transport: `detail` for people, `reason` for programs (D13a). */
export function sendError(
  response: EdgeResponse,
  status: number,
  reason: string,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendJson(response, status, { detail, reason }, headers);
}
