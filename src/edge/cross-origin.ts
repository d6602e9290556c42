import type { NodeRequest, NodeResponse } from "@agent-memory/transcoding/node-http";
import { cors as connect } from "@connectrpc/connect";
import cors from "cors";
import { RATE_LIMIT_HEADERS } from "./rate-limit.ts";

/** How long a browser may go on without asking again, in seconds. Browsers keep it for less. */
const MAX_AGE_SECONDS = 24 * 60 * 60;

/** What a script may send besides what the protocols need. */
const REQUEST_HEADERS = ["authorization", "idempotency-key", "x-request-id", "traceparent"];
/** What a script may read besides. */
const RESPONSE_HEADERS = ["x-request-id", "retry-after", "www-authenticate", ...RATE_LIMIT_HEADERS];

/** Sets the headers of an answer to a script. Returns whether the request is answered with them. */
export type AllowOrigins = (request: NodeRequest, response: NodeResponse) => boolean;

/**
 * Lets scripts of `origins` in browsers call the service, over REST, Connect and gRPC-Web.
 * Their preflight requests are answered without a key: browsers send none. null: there are
 * no origins.
 */
export function createAllowOrigins(origins: readonly string[]): AllowOrigins | null {
  if (origins.length === 0) return null;
  const allow = cors({
    origin: [...origins],
    methods: [...new Set([...connect.allowedMethods, "PATCH", "DELETE"])],
    allowedHeaders: [...connect.allowedHeaders, ...REQUEST_HEADERS],
    exposedHeaders: [...connect.exposedHeaders, ...RESPONSE_HEADERS],
    maxAge: MAX_AGE_SECONDS,
  });
  return (request, response) => {
    let isAnswered = true;
    // With a list of origins the library decides at once.
    allow(request, response, () => {
      isAnswered = false;
    });
    return isAnswered;
  };
}
