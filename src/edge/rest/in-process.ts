import type { DescMethodUnary } from "@bufbuild/protobuf";
import {
  type ContextValues,
  createHandlerContext,
  type Interceptor,
  type ServiceImplSpec,
} from "@connectrpc/connect";
import { invokeUnaryImplementation } from "@connectrpc/connect/protocol";
import { compileEndpoints } from "./endpoint.ts";
import { asMessage } from "./json/field.ts";
import { createJsonReaderCompiler, type ParseTimestamp } from "./json/reader.ts";
import type { Route } from "./route.ts";

export interface InProcessOptions {
  readonly routes: readonly Route[];
  readonly implementations: readonly ServiceImplSpec[];
  readonly interceptors: Interceptor[];
  readonly parseTimestamp: ParseTimestamp;
  /** What the calls say that they came by. */
  readonly protocolName: string;
}

/** A call in JSON. */
export interface InProcessCall {
  /** One that has a route. */
  readonly rpc: DescMethodUnary;
  /** All fields of the request, also those that a path or a query would carry. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly requestHeader: Headers;
  readonly contextValues: ContextValues;
  readonly signal: AbortSignal;
}

/**
 * Calls RPCs as REST does from within the process: what speaks another protocol gets the
 * same JSON. Resolves with the body of the response; rejects with a RestError, or what an
 * interceptor or the implementation threw. It has no gate: whoever calls passed one.
 */
export function createInProcessCaller(
  options: InProcessOptions,
): (call: InProcessCall) => Promise<string> {
  const { routes, implementations, interceptors, parseTimestamp, protocolName } = options;
  const readers = createJsonReaderCompiler({ parseTimestamp });
  const endpoints = new Map(
    compileEndpoints(routes, implementations, parseTimestamp)
      .filter((endpoint) => endpoint.kind === "unary")
      .map((endpoint) => {
        const { rpc } = endpoint.route;
        return [rpc, { ...endpoint, read: readers.message(rpc.input) }];
      }),
  );
  return async ({ rpc, request, signal, ...call }) => {
    const endpoint = endpoints.get(rpc);
    if (endpoint === undefined) throw new Error(`${rpc} has no route`);
    const { implementation, read, response } = endpoint;
    const context = createHandlerContext({
      ...call,
      service: rpc.parent,
      method: rpc,
      protocolName,
      requestMethod: "POST",
      url: `in-process:${rpc.name}`,
    });
    const abort = () => context.abort(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      signal.throwIfAborted();
      const input = read(request, null);
      const output = await invokeUnaryImplementation(implementation, context, input, interceptors);
      return [...response.body(asMessage(output))].join("");
    } finally {
      signal.removeEventListener("abort", abort);
      context.abort();
    }
  };
}
