import {
  authorityOf,
  type NodeRequest,
  type NodeResponse,
  pathOf,
} from "@agent-memory/transcoding/node-http";
import type { Log } from "../log.ts";
import { isLoopback } from "../loopback.ts";
import { sendError } from "./http/answers.ts";

/** What is served at `GET /metrics`. */
export interface RenderedMetrics {
  readonly contentType: string;
  /** Everything, in the Prometheus text format. */
  render(): Promise<string>;
}

export interface MetricsEndpointOptions {
  readonly metrics: RenderedMetrics;
  /** The host that the port listens on, as the operator names it. */
  readonly host: string;
  /** Whether a request has the token of the admin service. */
  readonly hasToken: (request: NodeRequest) => boolean;
  readonly log: Log;
}

/**
 * Answers `GET /metrics` and returns true; false where the request is for something else.
 * They tell no secret, so whoever asks this machine for them gets them. A web page whose
 * host name is made to resolve to it asks by that name: any other name than those of
 * loopback and the operator's takes the token.
 */
export function metricsEndpoint(
  options: MetricsEndpointOptions,
): (request: NodeRequest, response: NodeResponse) => boolean {
  const { metrics, host, hasToken, log } = options;

  async function answer(response: NodeResponse): Promise<void> {
    const text = await metrics.render();
    response.setHeader("content-type", metrics.contentType);
    response.setHeader("cache-control", "no-store");
    response.end(text);
  }

  return (request, response) => {
    if (pathOf(request) !== "/metrics") return false;
    if (!isOfHost(request, host) && !hasToken(request)) {
      const detail = "by this host name the metrics are told to those with ADMIN_TOKEN only";
      sendError(response, 401, "unauthenticated", detail, { "www-authenticate": "Bearer" });
    } else if (request.method !== "GET") {
      sendError(response, 405, "method_not_allowed", "/metrics answers GET only", { allow: "GET" });
    } else {
      answer(response).catch((err: unknown) => {
        log.error({ err }, "the metrics could not be rendered");
        sendError(response, 500, "internal", "metrics failed");
      });
    }
    return true;
  };
}

/** Whether a request is for a name of loopback, or for this one. */
function isOfHost(request: NodeRequest, host: string): boolean {
  const named = URL.parse(`http://${authorityOf(request) ?? ""}`)?.hostname;
  if (named === undefined) return false;
  const plain = named.replace(/^\[|\]$/g, "");
  return isLoopback(plain) || plain === host.toLowerCase();
}
