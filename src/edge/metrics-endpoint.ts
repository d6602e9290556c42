import { type EdgeRequest, type EdgeResponse, pathOf, sendError } from "./http-message.ts";

/** What the endpoint serves. */
export interface RenderedMetrics {
  readonly contentType: string;
  /** Everything, in the Prometheus text format. */
  render(): Promise<string>;
}

/**
 * Answers `GET /metrics` and returns true; false where the request is for
 * something else.
 */
export function metricsEndpoint(
  metrics: RenderedMetrics,
): (request: EdgeRequest, response: EdgeResponse) => boolean {
  async function answer(response: EdgeResponse): Promise<void> {
    const text = await metrics.render();
    response.setHeader("content-type", metrics.contentType);
    response.setHeader("cache-control", "no-store");
    response.end(text);
  }

  return (request, response) => {
    if (pathOf(request) !== "/metrics") return false;
    if (request.method === "GET") {
      answer(response).catch(() => sendError(response, 500, "internal", "metrics failed"));
    } else {
      sendError(response, 405, "method_not_allowed", "/metrics answers GET only", { allow: "GET" });
    }
    return true;
  };
}
