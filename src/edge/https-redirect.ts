import { type EdgeRequest, type EdgeResponse, sendError } from "./http-message.ts";

/** A host name or address with an optional port; so that nothing else ends up in `Location`. */
const AUTHORITY = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/**
 * Sends the client to the same path over HTTPS. 308 keeps method and body. The
 * port stays the one the client used: one port serves both protocols.
 */
export function redirectToHttps(request: EdgeRequest, response: EdgeResponse): void {
  const authority = "authority" in request ? request.authority : request.headers.host;
  if (authority === undefined || !AUTHORITY.test(authority)) {
    sendError(response, 400, "malformed_request", "The Host header must name this service");
    return;
  }
  sendError(response, 308, "https_required", "This service is reached over HTTPS only", {
    location: `https://${authority}${targetOf(request)}`,
    // The body that the client is about to send belongs on the other connection.
    ...(request.httpVersionMajor === 1 && { connection: "close" }),
  });
}

/** Path and query, also of a request line that holds a whole URL, as proxies send it. */
function targetOf(request: EdgeRequest): string {
  const target = request.url ?? "/";
  if (target.startsWith("/")) return target;
  const url = URL.parse(target);
  return url === null ? "/" : url.pathname + url.search;
}
