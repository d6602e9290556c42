import { type NodeRequest, type NodeResponse, pathOf } from "@agent-memory/transcoding/node-http";
import { sendError, sendJson } from "./answers.ts";
import type { Readiness } from "./readiness.ts";

/**
 * Answers `GET /healthz` (the process lives) and `GET /readyz` (it can serve), both
 * without a key; returns false where the request is for neither.
 */
export function healthEndpoints(
  readiness: Readiness,
): (request: NodeRequest, response: NodeResponse) => boolean {
  async function answerReadiness(response: NodeResponse): Promise<void> {
    const failing = await readiness();
    if (failing === null) sendJson(response, 200, { status: "ok" }, NO_STORE);
    else {
      const detail = `Not ready: ${failing} failed`;
      sendJson(response, 503, { status: "unavailable", detail, reason: "not_ready" }, NO_STORE);
    }
  }

  return (request, response) => {
    const path = pathOf(request);
    if (path !== "/healthz" && path !== "/readyz") return false;
    // Monitors and balancers also ask by HEAD, which has the status alone.
    if (request.method !== "GET" && request.method !== "HEAD") {
      const detail = `${path} answers GET and HEAD only`;
      sendError(response, 405, "method_not_allowed", detail, { allow: "GET, HEAD" });
    } else if (path === "/healthz") sendJson(response, 200, { status: "ok" }, NO_STORE);
    else void answerReadiness(response);
    return true;
  };
}

const NO_STORE = { "cache-control": "no-store" };
