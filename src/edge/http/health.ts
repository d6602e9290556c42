import type { Log } from "../../log.ts";
import { type NodeRequest, type NodeResponse, pathOf } from "../rest/node-http.ts";
import { sendError, sendJson } from "./answers.ts";

/** How long a check may take before the service counts as not ready. */
export const READINESS_TIMEOUT_MS = 1_000;

/** One thing that must hold for the service to answer requests. */
export interface ReadinessCheck {
  /** Completes the sentence "Not ready: … failed". */
  readonly name: string;
  /** Resolves when it holds. Why it rejects is logged and not told to callers. */
  check(): Promise<unknown>;
}

/**
 * Answers `GET /healthz` (the process lives) and `GET /readyz` (every check
 * holds), both without a key; returns false where the request is for neither.
 *
 * Whoever can reach the port can ask, so probes that overlap share one run of
 * the checks.
 */
export function healthEndpoints(
  checks: readonly ReadinessCheck[],
  log: Log,
): (request: NodeRequest, response: NodeResponse) => boolean {
  let running: Promise<string | null> | null = null;

  function failingCheck(): Promise<string | null> {
    running ??= firstFailing(checks, log).finally(() => {
      running = null;
    });
    return running;
  }

  async function answerReadiness(response: NodeResponse): Promise<void> {
    const failing = await failingCheck();
    if (failing === null) sendJson(response, 200, { status: "ok" }, NO_STORE);
    else {
      const detail = `Not ready: ${failing} failed`;
      sendJson(response, 503, { status: "unavailable", detail, reason: "not_ready" }, NO_STORE);
    }
  }

  return (request, response) => {
    const path = pathOf(request);
    if (path !== "/healthz" && path !== "/readyz") return false;
    if (request.method !== "GET") {
      const detail = `${path} answers GET only`;
      sendError(response, 405, "method_not_allowed", detail, { allow: "GET" });
    } else if (path === "/healthz") sendJson(response, 200, { status: "ok" }, NO_STORE);
    else void answerReadiness(response);
    return true;
  };
}

const NO_STORE = { "cache-control": "no-store" };

/** Name of the first check, in the order given, that rejects or takes too long; null: none. */
async function firstFailing(checks: readonly ReadinessCheck[], log: Log): Promise<string | null> {
  const results = await Promise.all(checks.map((check) => holds(check, log)));
  return checks[results.indexOf(false)]?.name ?? null;
}

async function holds({ name, check }: ReadinessCheck, log: Log): Promise<boolean> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`took longer than ${READINESS_TIMEOUT_MS} ms`)),
    READINESS_TIMEOUT_MS,
  );
  try {
    await Promise.race([check(), tooLate]);
    return true;
  } catch (err) {
    log.warn({ err, check: name }, "a readiness check failed");
    return false;
  } finally {
    clearTimeout(timer);
  }
}
