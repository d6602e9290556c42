import type { NodeResponse } from "@agent-memory/transcoding/node-http";
import { sendJson } from "./answers.ts";
import type { PathHandler, PathTable } from "./path-handler.ts";
import type { Readiness } from "./readiness.ts";

const NO_STORE = { "cache-control": "no-store" };

/** `/healthz`: the process lives. `/readyz`: it can serve. Both need no key. */
export function healthPaths(readiness: Readiness): PathTable {
  async function answerReadiness(response: NodeResponse): Promise<void> {
    const failing = await readiness();
    if (failing === null) sendJson(response, 200, { status: "ok" }, NO_STORE);
    else {
      const detail = `Not ready: ${failing} failed`;
      sendJson(response, 503, { status: "unavailable", detail, reason: "not_ready" }, NO_STORE);
    }
  }

  // Monitors and balancers also ask by HEAD.
  const probe = (handle: PathHandler["handle"]): PathHandler => {
    return { kind: "probe", methods: ["GET", "HEAD"], handle };
  };
  return new Map([
    ["/healthz", probe(({ response }) => sendJson(response, 200, { status: "ok" }, NO_STORE))],
    ["/readyz", probe(({ response }) => answerReadiness(response))],
  ]);
}
