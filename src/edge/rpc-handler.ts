import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ConnectRouterOptions,
  createConnectRouter,
} from "@connectrpc/connect";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import { type NodeHandler, pathOf } from "./rest/node-http.ts";
import { refuseUnknownFields } from "./rpc/unknown-fields.ts";
import { type Explain, explainAnswer } from "./rpc-answer.ts";

export interface RpcHandlerOptions extends ConnectRouterOptions {
  /** Adds the services. */
  readonly routes: (router: ConnectRouter) => void;
  /** Puts errors as callers are to read them, those of Connect itself too. */
  readonly explain: Explain;
  /** Answers what is no path of an RPC. */
  readonly fallback: NodeHandler;
}

/**
 * Serves RPCs by gRPC, gRPC-Web and Connect, as `connectNodeAdapter` does, from the
 * parts that Connect exports for adapters; with these differences.
 *
 * A body that is refused before its end is left alone: the adapter would destroy the
 * request, and what still arrives of it could no longer be skipped. Messages of
 * errors are readable in grpc-js, and every error has a reason. Deadlines may be as long as
 * gRPC allows. And fields that a request does not have are refused.
 */
export function createRpcHandler({
  routes,
  fallback,
  explain,
  ...options
}: RpcHandlerOptions): NodeHandler {
  const router = createConnectRouter({
    acceptCompression: [compressionGzip, compressionBrotli],
    jsonOptions: { ignoreUnknownFields: false },
    ...options,
    interceptors: [...(options.interceptors ?? []), refuseUnknownFields],
  });
  routes(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  return async (request, response) => {
    const handler = handlers.get(pathOf(request) ?? "");
    if (handler === undefined) return fallback(request, response);
    const body: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false });
    const universal = universalRequestFromNodeRequest(request, response, undefined, undefined);
    try {
      dropDistantDeadline(universal.header);
      const answer = await handler({ ...universal, body });
      await universalResponseToNodeResponse(await explainAnswer(answer, explain), response);
    } catch (error) {
      // The client went away.
      if (ConnectError.from(error).code !== Code.Aborted) throw error;
    }
  };
}

/** The longest that a timer can wait: 24 days. A deadline beyond it would pass at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const HOUR_MS = 3_600_000;
const UNIT_MS: Readonly<Record<string, number>> = { H: HOUR_MS, M: 60_000, S: 1_000 };

/** Drops a deadline that no call lives to see. */
function dropDistantDeadline(headers: Headers): void {
  const [, amount, unit = ""] = /^(\d{1,8})([HMS])$/.exec(headers.get("grpc-timeout") ?? "") ?? [];
  if (Number(amount) * (UNIT_MS[unit] ?? 0) > MAX_TIMER_MS) headers.delete("grpc-timeout");
  const connectMs = /^\d{1,10}$/.exec(headers.get("connect-timeout-ms") ?? "")?.[0];
  if (Number(connectMs) > MAX_TIMER_MS) headers.delete("connect-timeout-ms");
}
