import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ContextValues,
  createHandlerContext,
  type HandlerContext,
  type Interceptor,
  type MethodImplSpec,
  type ServiceImplSpec,
} from "@connectrpc/connect";
import {
  createAsyncIterable,
  invokeUnaryImplementation,
  transformInvokeImplementation,
} from "@connectrpc/connect/protocol";
import Negotiator from "negotiator";
import {
  type ClientStreamEndpoint,
  compileEndpoints,
  type Endpoint,
  ERROR_MEMBERS,
  implementationOf,
  type StreamEndpoint,
  type UnaryEndpoint,
} from "./endpoint.ts";
import { createJsonReaderCompiler, type ParseTimestamp } from "./json/reader.ts";
import { type AnyMessage, asMessage } from "./json/writer.ts";
import {
  arrivesInParts,
  headersOf,
  isAbandoned,
  type NodeHandler,
  type NodeRequest,
  type NodeResponse,
  sendResponse,
  urlOf,
} from "./node-http.ts";
import {
  type BodyLimits,
  type RequestParts,
  receiveJsonObject,
  receiveMessages,
  receiveNoFields,
  receiveNothing,
} from "./request-reader.ts";
import { RestError } from "./rest-error.ts";
import { METHODS_WITHOUT_BODY, type Route } from "./route.ts";
import { createRouter, parseRequestTarget } from "./router.ts";
import { sendStream } from "./stream-response.ts";

export interface RestHandlerOptions {
  readonly routes: readonly Route[];
  /** One for each service: `createServiceImplSpec` of Connect makes it. */
  readonly implementations: readonly ServiceImplSpec[];
  /** The same list that Connect's adapter gets. */
  readonly interceptors: Interceptor[];
  /** As Connect's adapter has it: runs before any of the body is read; refuses by throwing. */
  readonly requestGate?: (context: HandlerContext) => void | Promise<void>;
  /** Values that the gate, the interceptors and the implementation find in their context. */
  readonly contextValues?: (req: NodeRequest, res: NodeResponse) => ContextValues;
  /** Renders every error: of the request, a gate, an interceptor or a handler. Must not throw. */
  readonly toHttpError: (error: unknown, req: NodeRequest) => HttpError;
  readonly parseTimestamp: ParseTimestamp;
  /** A longer body is refused. */
  readonly maxBodyBytes: number;
  /** A body of more values, at any depth, is refused before it is parsed. */
  readonly maxBodyValues: number;
  /** Aborts the signal of every call in progress. */
  readonly shutdownSignal?: AbortSignal;
}

type CallContext = ReturnType<typeof createHandlerContext>;

interface Call {
  readonly req: NodeRequest;
  readonly res: NodeResponse;
  readonly context: CallContext;
  readonly parts: Omit<RequestParts, "body">;
}

/** Why whatever still goes on for a call ends; made once, since its stack costs as much as a refusal. */
const OVER = new ConnectError("the call is over", Code.Canceled);

export interface HttpError {
  readonly status: number;
  /** `detail` for people, `reason` for programs, and the `field` at fault, where one is. */
  readonly body: { readonly [member in (typeof ERROR_MEMBERS)[number]]?: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Serves RPCs as JSON over HTTP/1.1 and HTTP/2, as their `google.api.http` rules say; those that
 * stream as lines of JSON or as server-sent events. The `fallback` of a `connectNodeAdapter`.
 *
 * If several things are wrong with a request, the first in this order is answered: its
 * path or method, what the gate says, the size of its body, the type of its body,
 * its JSON, its fields. Every request is answered unless its client is gone, in
 * which case the signal of the call is aborted.
 *
 * The returned promise resolves once the last of the response is written, and rejects when
 * it cannot be finished, for a message that JSON cannot express or a `toHttpError` that
 * throws: log that, and break the response off.
 *
 * Throws, at start-up, when routes are ambiguous or cannot be served.
 */
export function createRestHandler(options: RestHandlerOptions): NodeHandler {
  const { routes, implementations, parseTimestamp, maxBodyBytes, toHttpError, interceptors } =
    options;
  const limits: BodyLimits = { maxBytes: maxBodyBytes, maxValues: options.maxBodyValues };
  const router = createRouter(compileEndpoints(routes, implementations, parseTimestamp));

  async function handle(req: NodeRequest, res: NodeResponse): Promise<void> {
    let endpoint: Endpoint | undefined;
    let context: CallContext | undefined;
    try {
      const { path, query } = parseRequestTarget(req.url ?? "");
      const { target, segments } = router.find(req.method ?? "", path);
      const events = target.kind === "unary" ? target.events : null;
      endpoint = events !== null && acceptsEvents(req) ? events : target;
      context = createContext(req, res, endpoint);
      await options.requestGate?.(context);
      const call = { req, res, context, parts: { segments, query } };
      await (endpoint.kind === "stream" ? stream(call, endpoint) : answer(call, endpoint));
    } catch (error) {
      // A response that has begun cannot become an error: whoever serves breaks it off.
      if (res.headersSent) throw error;
      if (isAbandoned(req, res)) return;
      const rendered = toHttpError(error, req);
      const headers = new Headers(context?.responseHeader);
      const metadata = error instanceof ConnectError ? error.metadata : [];
      for (const [name, value] of [...metadata, ...Object.entries(rendered.headers ?? {})]) {
        headers.set(name, value);
      }
      if (error instanceof RestError && error.problem.kind === "method_not_allowed") {
        headers.set("allow", error.problem.allow.join(", "));
      }
      const body = [errorBody(rendered, error, endpoint)];
      await sendResponse(req, res, { status: rendered.status, headers, body }, maxBodyBytes);
    } finally {
      context?.abort(OVER);
    }
  }

  async function answer(
    { req, res, context, parts }: Call,
    endpoint: UnaryEndpoint | ClientStreamEndpoint,
  ): Promise<void> {
    let output: AnyMessage;
    if (endpoint.kind === "unary") {
      const body = await receiveBody(req, endpoint.route);
      const input = endpoint.readRequest({ ...parts, body });
      output = await invokeUnary(endpoint.implementation, context, input, interceptors);
    } else {
      endpoint.readRequest({ ...parts, body: null });
      arrivesInParts(req);
      const inputs = receiveMessages(req, limits, endpoint.readLine);
      output = await onlyOf(invoke(endpoint.implementation, context, inputs, interceptors));
    }
    const body = endpoint.response.body(output);
    const response = { status: 200, headers: context.responseHeader, body };
    await sendResponse(req, res, response, maxBodyBytes);
  }

  async function stream(
    { req, res, context, parts }: Call,
    endpoint: StreamEndpoint,
  ): Promise<void> {
    const body = await receiveBody(req, endpoint.route);
    const inputs = createAsyncIterable([endpoint.readRequest({ ...parts, body })]);
    const outputs = invoke(endpoint.implementation, context, inputs, interceptors);
    const messages = outputs[Symbol.asyncIterator]();
    // An error before the first message is answered as that of any other call.
    const first = await messages.next();
    try {
      await sendStream(req, res, {
        headers: context.responseHeader,
        format: endpoint.format,
        first,
        messages,
        errorBody: (error) => errorBody(toHttpError(error, req), error, endpoint),
      });
    } finally {
      context.abort(OVER);
      await messages.return?.();
    }
  }

  function receiveBody(req: NodeRequest, { body, httpMethod }: Route) {
    if (body !== null) return receiveJsonObject(req, limits);
    return METHODS_WITHOUT_BODY.includes(httpMethod)
      ? receiveNothing(req)
      : receiveNoFields(req, limits);
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
      contextValues: options.contextValues?.(req, res),
    });
    res.once("close", () => {
      if (context.signal.aborted) return;
      context.abort(new ConnectError("the client went away", Code.Canceled));
    });
    return context;
  }

  return handle;
}

/** The body of an error, with members of the response where the error carries such a message. */
function errorBody({ body }: HttpError, error: unknown, endpoint: Endpoint | undefined): string {
  const members = ERROR_MEMBERS.filter((name) => body[name] !== undefined)
    .map((name) => `"${name}":${JSON.stringify(body[name])}`)
    .join(",");
  if (endpoint === undefined || endpoint.kind === "stream") return `{${members}}`;
  const { route, response } = endpoint;
  const [partial] = error instanceof ConnectError ? error.findDetails(route.rpc.output) : [];
  return `{${partial && response.members ? response.members(asMessage(partial), members) : members}}`;
}

// These call the implementations of RPCs with interceptors around them. Connect has no public
// way to do so: read its release notes for its two functions here before every upgrade. Nothing
// else is private.

export function invoke(
  implementation: MethodImplSpec,
  context: CallContext,
  inputs: AsyncIterable<unknown>,
  interceptors: Interceptor[],
): AsyncIterable<AnyMessage> {
  const respond = transformInvokeImplementation(implementation, context, interceptors);
  return respond(inputs as AsyncIterable<AnyMessage>) as AsyncIterable<AnyMessage>;
}

export async function invokeUnary(
  implementation: UnaryEndpoint["implementation"],
  context: CallContext,
  input: Message,
  interceptors: Interceptor[],
): Promise<AnyMessage> {
  return asMessage(await invokeUnaryImplementation(implementation, context, input, interceptors));
}

async function onlyOf(outputs: AsyncIterable<AnyMessage>): Promise<AnyMessage> {
  for await (const output of outputs) return output;
  throw new ConnectError("the call has no response", Code.Internal);
}

const JSON_TYPE = "application/json";
const EVENTS_TYPE = "text/event-stream";

/** Whether the caller would rather have server-sent events than JSON; who does not say, would not. */
function acceptsEvents({ headers: { accept } }: NodeRequest): boolean {
  const negotiator = new Negotiator({ headers: { accept } });
  return negotiator.mediaType([JSON_TYPE, EVENTS_TYPE]) === EVENTS_TYPE;
}

type InProcessOptions = { readonly protocolName: string } & Pick<
  RestHandlerOptions,
  "implementations" | "interceptors" | "parseTimestamp"
>;

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
    const implementation = implementationOf(rpc, implementations);
    if (implementation.kind !== "unary") throw new Error(`${rpc} is not unary`);
    const context = createHandlerContext({
      ...call,
      requestSignal: signal,
      service: rpc.parent,
      method: rpc,
      protocolName,
      requestMethod: "POST",
      url: `in-process:${rpc.name}`,
    });
    try {
      signal.throwIfAborted();
      const input = readers.message(rpc.input)(request, null);
      return await invokeUnary(implementation, context, input, interceptors);
    } finally {
      context.abort();
    }
  };
}
