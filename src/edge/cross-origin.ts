import { cors as connect } from "@connectrpc/connect";
import cors from "cors";
import { RATE_LIMIT_HEADERS } from "./rate-limit-headers.ts";
import type { NodeHandler } from "./rest/node-http.ts";

/** How long a browser may go on without asking again, in seconds. Browsers keep it for less. */
const MAX_AGE_SECONDS = 24 * 60 * 60;

/** What a script may send besides what the protocols need. */
const REQUEST_HEADERS = ["authorization", "idempotency-key", "x-request-id", "traceparent"];
/** What a script may read besides. */
const RESPONSE_HEADERS = ["x-request-id", "retry-after", "www-authenticate", ...RATE_LIMIT_HEADERS];

/**
 * Serves as `handler` does, and lets scripts of `origins` in browsers call it, over REST,
 * Connect and gRPC-Web. Their preflight requests are answered without a key: browsers send none.
 */
export function allowOrigins(handler: NodeHandler, origins: readonly string[]): NodeHandler {
  if (origins.length === 0) return handler;
  const allow = cors({
    origin: [...origins],
    methods: [...new Set([...connect.allowedMethods, "PATCH", "DELETE"])],
    allowedHeaders: [...connect.allowedHeaders, ...REQUEST_HEADERS],
    exposedHeaders: [...connect.exposedHeaders, ...RESPONSE_HEADERS],
    maxAge: MAX_AGE_SECONDS,
  });
  return (request, response) =>
    new Promise((resolve, reject) => {
      // A preflight request ends here.
      response.once("close", resolve);
      allow(request, response, () => {
        Promise.resolve(handler(request, response)).then(resolve, reject);
      });
    });
}
