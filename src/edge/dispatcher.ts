import {
  type NodeHandler,
  type NodeRequest,
  type NodeResponse,
  pathOf,
} from "@agent-memory/transcoding/node-http";
import { cors as connect } from "@connectrpc/connect";
import cors from "cors";
import type { Admission, AdmissionControl } from "./admission.ts";
import {
  type PathHandler,
  type PathTable,
  redirectForwarded,
  takesMethod,
} from "./http/answers.ts";
import { watchUnread } from "./http/connections.ts";
import type { ObserveCall } from "./observed-calls.ts";
import { RATE_LIMIT_HEADERS } from "./rate-limit.ts";
import { restOrUnknownRpc } from "./rpc-handler.ts";

export interface DispatcherOptions {
  readonly control: AdmissionControl;
  /** Are not counted, and answered over plain HTTP too. */
  readonly probes: PathTable;
  /** Everything else with a fixed path: documents, sign-in, RPCs. */
  readonly paths: PathTable<Admission>;
  /** Serves all other paths: those of REST hold parameters. */
  readonly rest: NodeHandler;
  /** null: no script of another origin may call. */
  readonly allowOrigins: AllowOrigins | null;
  /** How long a response waits for its reader. */
  readonly unreadMs: number;
  readonly observe: ObserveCall;
}

/** Begins each request, and hands it to the one handler of its path. */
export function createDispatcher(options: DispatcherOptions): NodeHandler {
  const { control, probes, paths, rest, allowOrigins, unreadMs, observe } = options;
  const { trustProxy } = control.options;
  const others = restOrUnknownRpc(rest);
  const call: PathHandler<Admission> = {
    kind: "call",
    methods: null,
    handle: ({ request, response }) => others(request, response),
  };
  return async (request, response) => {
    const path = pathOf(request) ?? "";
    const probe = probes.get(path);
    if (probe !== undefined) {
      if (allowOrigins?.(request, response) || !takesMethod(probe, request, response)) return;
      return probe.handle({ request, response });
    }
    const admission = await control.begin(request, response);
    if (admission === null) return;
    watchUnread(response, unreadMs);
    if (allowOrigins?.(request, response)) return;
    const found = paths.get(path) ?? call;
    const { kind, handle } = found;
    if (trustProxy && redirectForwarded(request, response)) return;
    if (!takesMethod(found, request, response)) return;
    if (kind !== "call") return handle(admission);
    // It holds memories or secrets.
    response.setHeader("cache-control", "no-store");
    await observe(admission, () => handle(admission));
  };
}

/** How long a browser may go on without asking again, in seconds. Browsers keep it for less. */
const MAX_AGE_SECONDS = 24 * 60 * 60;

/** Headers of requests that a script may send beside those of the protocols. */
const REQUEST_HEADERS = [
  ...["authorization", "idempotency-key", "x-request-id", "traceparent"],
  ...["mcp-protocol-version", "mcp-method", "mcp-name"],
];
/** Further headers of responses that a script may read. */
const RESPONSE_HEADERS = ["x-request-id", "retry-after", "www-authenticate", ...RATE_LIMIT_HEADERS];

/** Sets the headers of an answer to a script. Returns whether the request is answered with them. */
export type AllowOrigins = (request: NodeRequest, response: NodeResponse) => boolean;

/**
 * Lets scripts of `origins` in browsers call the service, over REST, Connect and gRPC-Web. Their
 * preflight requests are answered without a key: browsers send none. null: there are no origins.
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
