import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { PublicDocument } from "./http/public-document.ts";

const DASHBOARD_PATH = "/dashboard";
const PAGE = "index.html";

/** The page loads from the service alone, and runs and shows nothing that is written into it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const PAGE_HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
};

/** The page names what it loads: one that is kept would name what another build has replaced. */
const ASKED_AGAIN = "no-cache";
/** Another content has another name. */
const FOR_GOOD = "public, max-age=31536000, immutable";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** What is served where the dashboard was not built. */
const NOT_BUILT = `<!doctype html>
<html lang="en">
<title>Dashboard</title>
<p>The dashboard is not built: run <code>npm run build</code>, and start the service again.</p>
</html>
`;

/**
 * The dashboard as it was built into a folder: its page at `/dashboard`, and what that
 * loads, under names that hold a hash of the content, below it.
 */
export async function dashboardDocuments(
  folder: URL,
): Promise<Readonly<Record<string, PublicDocument>>> {
  const assets = await readdir(new URL("assets/", folder)).catch(() => []);
  const page: PublicDocument = {
    contentType: "text/html; charset=utf-8",
    load: () => (assets.length > 0 ? readFile(new URL(PAGE, folder)) : notBuilt()),
    headers: PAGE_HEADERS,
    cacheControl: ASKED_AGAIN,
  };
  return {
    [DASHBOARD_PATH]: page,
    [`${DASHBOARD_PATH}/`]: page,
    ...Object.fromEntries(assets.map((name) => assetOf(folder, name))),
  };
}

async function notBuilt(): Promise<Uint8Array> {
  return Buffer.from(NOT_BUILT);
}

function assetOf(folder: URL, name: string): [path: string, document: PublicDocument] {
  const document: PublicDocument = {
    contentType: CONTENT_TYPES[extname(name)] ?? "application/octet-stream",
    load: () => readFile(new URL(`assets/${name}`, folder)),
    cacheControl: FOR_GOOD,
  };
  return [`${DASHBOARD_PATH}/assets/${name}`, document];
}
