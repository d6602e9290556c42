import type { NodeHandler } from "@agent-memory/transcoding/node-http";
import { LoopTurns } from "../../src/concurrency/loop-turns.ts";
import { AdmissionControl, type AdmissionOptions } from "../../src/edge/admission.ts";
import { createDispatcher, type DispatcherOptions } from "../../src/edge/dispatcher.ts";
import { sendError } from "../../src/edge/http/answers.ts";

/** Admission without a rate limit, and without accounts. */
export function admissionControl(options: Partial<AdmissionOptions> = {}): AdmissionControl {
  return new AdmissionControl({
    rateLimiter: null,
    loopTurns: new LoopTurns(),
    trustProxy: false,
    knownAccountOf: () => null,
    ...options,
  });
}

/** A dispatcher of these paths, which answers 404 to all else and observes nothing. */
export function dispatch({
  probes = new Map(),
  paths = new Map(),
  control = admissionControl(),
}: Partial<DispatcherOptions>): NodeHandler {
  return createDispatcher({
    control,
    probes,
    paths,
    rest: (_request, response) => sendError(response, 404, "path_not_found", "Not here"),
    allowOrigins: null,
    unreadMs: 60_000,
    observe: (_admission, handle) => handle(),
  });
}
