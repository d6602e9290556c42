import { readFile } from "node:fs/promises";
import type { PublicDocument } from "./http/public-document.ts";

/** Generated from the protos. */
const OPENAPI_DOCUMENT = new URL("../../gen/openapi.json", import.meta.url);

/** The page loads from the service alone, and runs and shows nothing that is written into it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agent Memory API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>
</body>
</html>
`;

const PAGE_SCRIPT = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#page",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** The OpenAPI document at `/openapi.json`, and a page at `/docs` that shows it. */
export const DOCUMENTATION: Readonly<Record<string, PublicDocument>> = {
  "/openapi.json": {
    contentType: "application/json",
    load: () => readFile(OPENAPI_DOCUMENT),
  },
  "/docs": {
    contentType: "text/html; charset=utf-8",
    load: async () => Buffer.from(PAGE),
    headers: {
      "content-security-policy": CONTENT_SECURITY_POLICY,
      "referrer-policy": "no-referrer",
    },
  },
  "/docs/page.js": {
    contentType: "text/javascript; charset=utf-8",
    load: async () => Buffer.from(PAGE_SCRIPT),
  },
  "/docs/swagger-ui.css": fileOfLibrary("swagger-ui.css", "text/css; charset=utf-8"),
  "/docs/swagger-ui-bundle.js": fileOfLibrary(
    "swagger-ui-bundle.js",
    "text/javascript; charset=utf-8",
  ),
};

function fileOfLibrary(name: string, contentType: string): PublicDocument {
  return {
    contentType,
    load: () => readFile(new URL(import.meta.resolve(`swagger-ui-dist/${name}`))),
  };
}
