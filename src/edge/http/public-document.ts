import { createHash } from "node:crypto";
import { type NodeRequest, type NodeResponse, pathOf } from "../rest/node-http.ts";
import { sendError } from "./answers.ts";

/** How long a reader may keep a document before it asks whether there is another. */
export const DOCUMENT_FRESH_SECONDS = 300;

/**
 * Answers GET and HEAD of one path with a JSON document, without a key; returns false
 * where the request is for another path. A reader that has the document already, by its
 * `ETag`, is told so with 304.
 */
export function publicDocument(
  path: string,
  json: Buffer,
): (request: NodeRequest, response: NodeResponse) => boolean {
  const etag = `"${createHash("sha256").update(json).digest("base64url")}"`;

  return (request, response) => {
    if (pathOf(request) !== path) return false;
    if (request.method !== "GET" && request.method !== "HEAD") {
      const detail = `${path} answers GET and HEAD only`;
      sendError(response, 405, "method_not_allowed", detail, { allow: "GET, HEAD" });
      return true;
    }
    response.setHeader("etag", etag);
    response.setHeader("cache-control", `public, max-age=${DOCUMENT_FRESH_SECONDS}`);
    if (isKnown(request.headers["if-none-match"], etag)) {
      response.statusCode = 304;
      response.end();
      return true;
    }
    response.setHeader("content-type", "application/json");
    response.setHeader("content-length", json.length);
    if (request.method === "HEAD") response.end();
    else response.end(json);
    return true;
  };
}

/** Whether one of the tags of `If-None-Match` is this one (RFC 9110, section 13.1.2). */
function isKnown(header: string | undefined, etag: string): boolean {
  const tags = header?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || tags.includes("*");
}
