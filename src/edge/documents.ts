import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { PathHandler, PathTable } from "./http/answers.ts";

/** How long a reader may keep a document before it asks whether there is another. */
export const DOCUMENT_FRESH_SECONDS = 300;

const FRESH = `public, max-age=${DOCUMENT_FRESH_SECONDS}`;
/** The page names what it loads: one that is kept would name what another build has replaced. */
const ASKED_AGAIN = "no-cache";
/** Another content has another name. */
const FOR_GOOD = "public, max-age=31536000, immutable";

export interface PublicDocument {
  readonly contentType: string;
  /** Asked for once, with the first request. */
  load(): Promise<Uint8Array> | Uint8Array;
  /** Sent beside those of every document. */
  readonly headers?: Readonly<Record<string, string>>;
}

const HTML = "text/html; charset=utf-8";
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** The page loads from the service alone, and runs and shows nothing that is written into it. */
function pageHeaders(images: string, ...more: readonly string[]) {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...more,
  ];
  return { "content-security-policy": policy.join("; "), "referrer-policy": "no-referrer" };
}

function fileAt(url: URL, cacheControl = FRESH): PublicDocument {
  const contentType = CONTENT_TYPES[extname(url.pathname)] ?? "application/octet-stream";
  return { contentType, load: () => readFile(url), headers: { "cache-control": cacheControl } };
}

const fileOfLibrary = (name: string) =>
  fileAt(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));

/** The OpenAPI document, which is generated from the protos, and a page at `/docs` that shows it. */
export const DOCUMENTATION: Readonly<Record<string, PublicDocument>> = {
  "/openapi.json": fileAt(new URL("../../gen/openapi.json", import.meta.url)),
  "/docs": {
    contentType: HTML,
    load: () => readFile(new URL("documentation/index.html", import.meta.url)),
    headers: pageHeaders("'self' data:"),
  },
  "/docs/page.js": fileAt(new URL("documentation/page.js", import.meta.url)),
  "/docs/swagger-ui.css": fileOfLibrary("swagger-ui.css"),
  "/docs/swagger-ui-bundle.js": fileOfLibrary("swagger-ui-bundle.js"),
};

export const DASHBOARD_PATH = "/dashboard";

/** The page that stands in for a dashboard that was not built. */
const NOT_BUILT = `<!doctype html>
<html lang="en">
<title>Dashboard</title>
<p>The dashboard is not built: run <code>npm run build</code>, and start the service again.</p>
</html>
`;

/** The built dashboard: its page at `/dashboard`, its assets below it by names with their hash. */
export async function dashboardDocuments(folder: URL) {
  const assets = await readdir(new URL("assets/", folder)).catch(() => []);
  const isBuilt = assets.length > 0;
  const page: PublicDocument = {
    contentType: HTML,
    load: () => (isBuilt ? readFile(new URL("index.html", folder)) : Buffer.from(NOT_BUILT)),
    headers: {
      ...pageHeaders("'self'", "require-trusted-types-for 'script'"),
      "cross-origin-opener-policy": "same-origin",
      "cache-control": ASKED_AGAIN,
    },
  };
  const documents: Record<string, PublicDocument> = {
    [DASHBOARD_PATH]: page,
    [`${DASHBOARD_PATH}/`]: page,
  };
  for (const name of assets) {
    const file = fileAt(new URL(`assets/${name}`, folder), FOR_GOOD);
    documents[`${DASHBOARD_PATH}/assets/${name}`] = file;
  }
  return documents;
}

/** Documents by their paths, which need no key. A reader that has one already gets 304, by its `ETag`. */
export function documentPaths(documents: Readonly<Record<string, PublicDocument>>): PathTable {
  return new Map(Object.entries(documents).map(([path, each]) => [path, documentHandler(each)]));
}

const compress = promisify(gzip);

function documentHandler({ contentType, headers, load }: PublicDocument): PathHandler {
  let loaded: ReturnType<typeof loadOnce> | undefined;
  async function loadOnce() {
    const content = await load();
    return [withTag(content), withTag(await compress(content))] as const;
  }
  return {
    kind: "page",
    methods: ["GET", "HEAD"],
    async handle({ request, response }) {
      loaded ??= loadOnce();
      const isGzipped = /\bgzip\b(?!\s*;\s*q=0\b)/.test(request.headers["accept-encoding"] ?? "");
      const { content, etag } = (await loaded)[isGzipped ? 1 : 0];
      const all = {
        etag,
        vary: "accept-encoding",
        "cache-control": FRESH,
        ...headers,
        "content-type": contentType,
        "content-length": String(content.byteLength),
        "x-content-type-options": "nosniff",
        ...(isGzipped && { "content-encoding": "gzip" }),
      };
      const isHeld = isKnown(request.headers["if-none-match"], etag);
      for (const [name, value] of Object.entries(all)) {
        if (!isHeld || !name.startsWith("content-")) response.setHeader(name, value);
      }
      if (isHeld) response.statusCode = 304;
      if (isHeld || request.method === "HEAD") response.end();
      else response.end(content);
    },
  };
}

function withTag(content: Uint8Array) {
  return { content, etag: `"${createHash("sha256").update(content).digest("base64url")}"` };
}

/** Whether one of the tags of `If-None-Match` is this one (RFC 9110, section 13.1.2). */
function isKnown(header: string | undefined, etag: string): boolean {
  const tags = header?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || tags.includes("*");
}
