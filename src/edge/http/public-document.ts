import { createHash } from "node:crypto";
import { type NodeRequest, type NodeResponse, pathOf } from "../rest/node-http.ts";
import { sendError } from "./answers.ts";

/** How long a reader may keep a document before it asks whether there is another. */
export const DOCUMENT_FRESH_SECONDS = 300;

export interface PublicDocument {
  readonly contentType: string;
  /** Asked for once, with the first request. */
  load(): Promise<Uint8Array>;
  /** Sent beside those of every document. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a request for one of the documents; null: it is for something else. */
type PublicDocuments = (request: NodeRequest, response: NodeResponse) => Promise<void> | null;

/**
 * Answers GET and HEAD of documents by their paths, without a key. A reader that has one
 * already, by its `ETag`, is told so with 304.
 */
export function publicDocuments(
  documents: Readonly<Record<string, PublicDocument>>,
): PublicDocuments {
  const byPath = new Map(
    Object.entries(documents).map(([path, document]) => [
      path,
      { document, loaded: once(document) },
    ]),
  );

  return (request, response) => {
    const path = pathOf(request) ?? "";
    const found = byPath.get(path);
    if (found === undefined) return null;
    if (request.method !== "GET" && request.method !== "HEAD") {
      const detail = `${path} answers GET and HEAD only`;
      sendError(response, 405, "method_not_allowed", detail, { allow: "GET, HEAD" });
      return Promise.resolve();
    }
    return found.loaded().then((loaded) => send(request, response, found.document, loaded));
  };
}

interface Loaded {
  readonly content: Uint8Array;
  readonly etag: string;
}

function once(document: PublicDocument): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  return () => {
    loaded ??= document.load().then((content) => {
      return { content, etag: `"${createHash("sha256").update(content).digest("base64url")}"` };
    });
    return loaded;
  };
}

function send(
  request: NodeRequest,
  response: NodeResponse,
  { contentType, headers = {} }: PublicDocument,
  { content, etag }: Loaded,
): void {
  response.setHeader("etag", etag);
  response.setHeader("cache-control", `public, max-age=${DOCUMENT_FRESH_SECONDS}`);
  if (isKnown(request.headers["if-none-match"], etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader("content-type", contentType);
  response.setHeader("content-length", content.byteLength);
  response.setHeader("x-content-type-options", "nosniff");
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (request.method === "HEAD") response.end();
  else response.end(content);
}

/** Whether one of the tags of `If-None-Match` is this one (RFC 9110, section 13.1.2). */
function isKnown(header: string | undefined, etag: string): boolean {
  const tags = header?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || tags.includes("*");
}
