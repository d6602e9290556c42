import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { NodeRequest, NodeResponse } from "@agent-memory/transcoding/node-http";
import type { PathHandler, PathTable } from "./path-handler.ts";

/** How long a reader may keep a document before it asks whether there is another. */
export const DOCUMENT_FRESH_SECONDS = 300;

const FRESH = `public, max-age=${DOCUMENT_FRESH_SECONDS}`;

export interface PublicDocument {
  readonly contentType: string;
  /** Asked for once, with the first request. */
  load(): Promise<Uint8Array>;
  /** Sent beside those of every document. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a reader may keep it; left out, DOCUMENT_FRESH_SECONDS. */
  readonly cacheControl?: string;
}

/** Documents by their paths, which need no key. A reader that has one already gets 304, by its `ETag`. */
export function documentPaths(documents: Readonly<Record<string, PublicDocument>>): PathTable {
  return new Map(Object.entries(documents).map(([path, each]) => [path, documentHandler(each)]));
}

function documentHandler(document: PublicDocument): PathHandler {
  const loaded = once(document);
  return {
    kind: "page",
    methods: ["GET", "HEAD"],
    async handle({ request, response }) {
      send(request, response, document, await loaded());
    },
  };
}

interface Encoded {
  readonly content: Uint8Array;
  readonly etag: string;
}

interface Loaded {
  readonly plain: Encoded;
  readonly gzipped: Encoded;
}

const compress = promisify(gzip);

function once(document: PublicDocument): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  return () => {
    loaded ??= document.load().then(async (content) => ({
      plain: encoded(content),
      gzipped: encoded(await compress(content)),
    }));
    return loaded;
  };
}

function encoded(content: Uint8Array): Encoded {
  return { content, etag: `"${createHash("sha256").update(content).digest("base64url")}"` };
}

function send(
  request: NodeRequest,
  response: NodeResponse,
  { contentType, headers = {}, cacheControl = FRESH }: PublicDocument,
  { plain, gzipped }: Loaded,
): void {
  const isGzipped = /\bgzip\b(?!\s*;\s*q=0\b)/.test(request.headers["accept-encoding"] ?? "");
  const { content, etag } = isGzipped ? gzipped : plain;
  response.setHeader("etag", etag);
  response.setHeader("vary", "accept-encoding");
  response.setHeader("cache-control", cacheControl);
  if (isKnown(request.headers["if-none-match"], etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader("content-type", contentType);
  response.setHeader("content-length", content.byteLength);
  if (isGzipped) response.setHeader("content-encoding", "gzip");
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
