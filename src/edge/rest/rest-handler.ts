import {
  Code,
  ConnectError,
  type ContextValues,
  createHandlerContext,
  type HandlerContext,
  type Interceptor,
  type ServiceImplSpec,
} from "@connectrpc/connect";
import { invokeUnaryImplementation } from "@connectrpc/connect/protocol";
import { compileEndpoints, type Endpoint } from "./endpoint.ts";
import type { AnyMessage } from "./json/local-field.ts";
import type { ParseTimestamp } from "./json/read-well-known.ts";
import {
  headersOf,
  isAbandoned,
  type NodeHandler,
  type NodeRequest,
  type NodeResponse,
  urlOf,
} from "./node-http.ts";
import { receiveJsonObject, receiveNoFields, receiveNothing } from "./receive-body.ts";
import { parseRequestTarget } from "./request-target.ts";
import { RestError } from "./rest-error.ts";
import type { Route } from "./route.ts";
import { createRouter } from "./router.ts";
import { breakOff, sendResponse } from "./send-response.ts";

const METHODS_WITHOUT_BODY: readonly string[] = ["GET", "DELETE"];

export interface RestHandlerOptions {
  /** The generated routes of every service. */
  readonly routes: readonly Route[];
  /** One for each service: `createServiceImplSpec` of Connect makes it. */
  readonly implementations: readonly ServiceImplSpec[];
  /** The same list that Connect's adapter gets. */
  readonly interceptors: Interceptor[];
  /**
   * The same gate that Connect's adapter gets: it runs once the path is known and
   * before anything of the body is read, and refuses a request by throwing.
   */
  readonly requestGate?: (context: HandlerContext) => void | Promise<void>;
  /** Values that the gate, the interceptors and the implementation find in their context. */
  readonly contextValues?: (req: NodeRequest) => ContextValues;
  /**
   * Renders every error: a RestError for what is wrong with the request itself,
   * else what the gate, an interceptor or the implementation threw. Must not throw.
   */
  readonly toHttpError: (error: unknown) => HttpError;
  readonly parseTimestamp: ParseTimestamp;
  /** A longer body is refused. */
  readonly maxBodyBytes: number;
  /** Aborts the signal of every call in progress. */
  readonly shutdownSignal?: AbortSignal;
}

/** An error as the caller gets it. */
export interface HttpError {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Serves RPCs as JSON over HTTP/1.1 and HTTP/2, as their `google.api.http` rules
 * say. Meant as the `fallback` of `connectNodeAdapter`.
 *
 * Of several things wrong with a request the first of this order is answered: its
 * path or method, what the gate says, the size of its body, the type of its body,
 * its JSON, its fields. Every request is answered unless its client is gone, in
 * which case the signal of the call is aborted.
 *
 * Throws, at start-up, when routes are ambiguous or cannot be served.
 */
export function createRestHandler(options: RestHandlerOptions): NodeHandler {
  const { routes, implementations, parseTimestamp, maxBodyBytes, toHttpError } = options;
  const router = createRouter(compileEndpoints(routes, implementations, parseTimestamp));

  async function handle(req: NodeRequest, res: NodeResponse): Promise<void> {
    let endpoint: Endpoint | undefined;
    let context: ReturnType<typeof createHandlerContext> | undefined;
    try {
      const { path, query } = parseRequestTarget(req.url ?? "");
      const match = router.find(req.method ?? "", path);
      endpoint = match.target;
      context = createContext(req, res, endpoint);
      await options.requestGate?.(context);
      const { implementation, readRequest, writeResponse } = endpoint;
      const body = await receiveBody(req, endpoint.route);
      const input = readRequest({ segments: match.segments, query, body });
      const output = await invokeUnaryImplementation(
        implementation,
        context,
        input,
        options.interceptors,
      );
      const response = writeResponse(output as AnyMessage);
      send(req, res, 200, context.responseHeader, response);
    } catch (error) {
      if (!isAbandoned(req, res)) sendError(req, res, error, endpoint, context?.responseHeader);
    } finally {
      context?.abort();
    }
  }

  function receiveBody(req: NodeRequest, { body, httpMethod }: Route) {
    if (body !== null) return receiveJsonObject(req, maxBodyBytes);
    return METHODS_WITHOUT_BODY.includes(httpMethod)
      ? receiveNothing(req)
      : receiveNoFields(req, maxBodyBytes);
  }

  function createContext(req: NodeRequest, res: NodeResponse, { route }: Endpoint) {
    const context = createHandlerContext({
      service: route.rpc.parent,
      method: route.rpc,
      protocolName: "rest",
      requestMethod: req.method ?? "",
      url: urlOf(req),
      requestHeader: headersOf(req),
      shutdownSignal: options.shutdownSignal,
      contextValues: options.contextValues?.(req),
    });
    res.once("close", () => {
      if (context.signal.aborted) return;
      context.abort(new ConnectError("the client went away", Code.Canceled));
    });
    return context;
  }

  function sendError(
    req: NodeRequest,
    res: NodeResponse,
    error: unknown,
    endpoint: Endpoint | undefined,
    contextHeaders: Headers | undefined,
  ): void {
    const rendered = toHttpError(error);
    const headers = new Headers(contextHeaders);
    const metadata = error instanceof ConnectError ? error.metadata : [];
    for (const [name, value] of [...metadata, ...Object.entries(rendered.headers ?? {})]) {
      headers.set(name, value);
    }
    if (error instanceof RestError && error.problem.kind === "method_not_allowed") {
      headers.set("allow", error.problem.allow.join(", "));
    }
    const partialResult = partialResultOf(error, endpoint);
    const body = JSON.stringify({ ...rendered.body, ...partialResult, ...rendered.body });
    send(req, res, rendered.status, headers, body);
  }

  function send(
    req: NodeRequest,
    res: NodeResponse,
    status: number,
    headers: Headers,
    body: string,
  ): void {
    sendResponse(req, res, { status, headers, body }, maxBodyBytes);
  }

  return (req, res) => {
    // Only a broken toHttpError ends here.
    handle(req, res).catch(() => breakOff(req, res));
  };
}

/**
 * What was done all the same: the fields of the RPC's response, where an error
 * carries one as a detail.
 */
function partialResultOf(error: unknown, endpoint: Endpoint | undefined): object {
  if (!(error instanceof ConnectError) || endpoint === undefined) return {};
  const [partialResult] = error.findDetails(endpoint.route.rpc.output);
  if (partialResult === undefined) return {};
  return JSON.parse(endpoint.writeResponse(partialResult as AnyMessage));
}
