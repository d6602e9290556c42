import {
  type ContextValues,
  createHandlerContext,
  type Interceptor,
  type ServiceImplSpec,
} from "@connectrpc/connect";
import { invokeUnaryImplementation } from "@connectrpc/connect/protocol";
import { compileEndpoints } from "./endpoint.ts";
import { asMessage } from "./json/field.ts";
import type { ParseTimestamp } from "./json/reader.ts";
import type { Route } from "./route.ts";
import { createRouter, parseRequestTarget } from "./router.ts";

export interface InProcessOptions {
  readonly routes: readonly Route[];
  readonly implementations: readonly ServiceImplSpec[];
  readonly interceptors: Interceptor[];
  readonly parseTimestamp: ParseTimestamp;
  /** What the calls say that they came by. */
  readonly protocolName: string;
}

/** A call in its REST form. */
export interface InProcessCall {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly requestHeader: Headers;
  readonly contextValues: ContextValues;
  readonly signal: AbortSignal;
}

/**
 * Calls RPCs by their REST forms from within the process: what speaks another protocol
 * gets the same JSON. Resolves with the body of the response; rejects with a RestError, or
 * what an interceptor or the implementation threw. It has no gate: whoever calls passed one.
 */
export function createInProcessCaller(
  options: InProcessOptions,
): (call: InProcessCall) => Promise<string> {
  const { routes, implementations, interceptors, parseTimestamp, protocolName } = options;
  const router = createRouter(compileEndpoints(routes, implementations, parseTimestamp));
  return async ({ method, path: target, body, signal, ...call }) => {
    const { path, query } = parseRequestTarget(target);
    const { target: endpoint, segments } = router.find(method, path);
    if (endpoint.kind !== "unary") throw new Error(`${method} ${path} answers a stream`);
    const context = createHandlerContext({
      ...call,
      service: endpoint.route.rpc.parent,
      method: endpoint.route.rpc,
      protocolName,
      requestMethod: method,
      url: `in-process:${path}`,
    });
    const abort = () => context.abort(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      signal.throwIfAborted();
      const input = endpoint.readRequest({ segments, query, body });
      const { implementation, response } = endpoint;
      const output = await invokeUnaryImplementation(implementation, context, input, interceptors);
      return [...response.body(asMessage(output))].join("");
    } finally {
      signal.removeEventListener("abort", abort);
      context.abort();
    }
  };
}
