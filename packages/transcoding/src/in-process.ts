import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import {
  type ContextValues,
  createHandlerContext,
  type Interceptor,
  type ServiceImplSpec,
} from "@connectrpc/connect";
import { createJsonReaderCompiler, type ParseTimestamp } from "./json/reader.ts";
import { invokeUnary } from "./rest-handler.ts";

export interface InProcessOptions {
  readonly implementations: readonly ServiceImplSpec[];
  readonly interceptors: Interceptor[];
  readonly parseTimestamp: ParseTimestamp;
  /** The protocol that the calls report. */
  readonly protocolName: string;
}

/** A call in JSON. */
export interface InProcessCall {
  /** The service must be implemented; streams are not supported. */
  readonly rpc: DescMethodUnary;
  /** All fields of the request, also those that a path or a query would carry. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly requestHeader: Headers;
  readonly contextValues: ContextValues;
  readonly signal: AbortSignal;
}

/**
 * Calls RPCs from within the process, with requests in JSON as REST reads them. Resolves with
 * the response, which the caller writes; rejects with a RestError, or what an interceptor or
 * the implementation threw. It has no gate: the caller has passed one.
 */
export function createInProcessCaller(
  options: InProcessOptions,
): (call: InProcessCall) => Promise<Message> {
  const { implementations, interceptors, parseTimestamp, protocolName } = options;
  const readers = createJsonReaderCompiler({ parseTimestamp });
  return async ({ rpc, request, signal, ...call }) => {
    const service = implementations.find((each) => each.service.typeName === rpc.parent.typeName);
    const implementation = service?.methods[rpc.localName];
    if (implementation?.kind !== "unary")
      throw new Error(`${rpc} is not unary, or not implemented`);
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
      const input = readers.message(rpc.input)(request, null);
      return await invokeUnary({ implementation }, context, input, interceptors);
    } finally {
      signal.removeEventListener("abort", abort);
      context.abort();
    }
  };
}
