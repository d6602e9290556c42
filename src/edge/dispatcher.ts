import { type NodeHandler, pathOf } from "@agent-memory/transcoding/node-http";
import type { Admission, AdmissionControl } from "./admission.ts";
import type { AllowOrigins } from "./cross-origin.ts";
import { redirectForwarded, sendError } from "./http/answers.ts";
import type { PathHandler, PathTable } from "./http/path-handler.ts";
import type { WatchUnread } from "./http/unread-responses.ts";
import type { ObserveCall } from "./observed-calls.ts";
import { answerUnknownRpc } from "./rpc-handler.ts";

export interface DispatcherOptions {
  readonly control: AdmissionControl;
  /** Whatever has a fixed path: probes, documents, sign-in, RPCs. */
  readonly paths: PathTable<Admission>;
  /** Serves all other paths: those of REST hold parameters. */
  readonly rest: NodeHandler;
  /** null: no script of another origin may call. */
  readonly allowOrigins: AllowOrigins | null;
  readonly watchUnread: WatchUnread;
  readonly observe: ObserveCall;
}

/** Begins each request, and hands it to the one handler of its path. */
export function createDispatcher(options: DispatcherOptions): NodeHandler {
  const { control, paths, rest, allowOrigins, watchUnread, observe } = options;
  const { trustProxy } = control.options;
  const others: PathHandler<Admission> = {
    kind: "call",
    methods: null,
    handle({ request, response }) {
      // Clients of gRPC expect an error of gRPC where there is no such method.
      const isGrpc = request.headers["content-type"]?.startsWith("application/grpc");
      return isGrpc ? answerUnknownRpc({ request, response }) : rest(request, response);
    },
  };
  return async (request, response) => {
    const admission = await control.begin(request, response);
    if (admission === null) return;
    watchUnread(request, response, admission.address);
    if (allowOrigins?.(request, response)) return;
    const path = pathOf(request) ?? "";
    const { kind, methods, handle } = paths.get(path) ?? others;
    if (kind !== "probe" && trustProxy && redirectForwarded(request, response)) return;
    if (methods !== null && !methods.includes(request.method ?? "")) {
      const detail = `${path} answers ${methods.join(" and ")} only`;
      const allow = methods.join(", ");
      return sendError(response, 405, "method_not_allowed", detail, { allow });
    }
    if (kind !== "call") return handle(admission);
    // It holds memories or secrets.
    response.setHeader("cache-control", "no-store");
    await observe(request, response, () => handle(admission));
  };
}
