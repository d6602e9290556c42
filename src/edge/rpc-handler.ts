import { invoke, invokeUnary } from "@agent-memory/transcoding";
import {
  arrivesInParts,
  bodyOf,
  headersOf,
  isAbandoned,
  mayParse,
  type NodeHandler,
  type NodeRequest,
  urlOf,
} from "@agent-memory/transcoding/node-http";
import { type Message, toBinary, toJsonString } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";
import {
  Code,
  ConnectError,
  type ConnectRouterOptions,
  type ContextValues,
  createHandlerContext,
  type MethodImplSpec,
  type ServiceImplSpec,
} from "@connectrpc/connect";
import { compressionNegotiate, createAsyncIterable } from "@connectrpc/connect/protocol";
import { invalidField } from "../domain/failure.ts";
import { CLIENT_LEFT } from "./admission.ts";
import { errorInfo, type ReportError } from "./error-mapping.ts";
import { type PathHandler, type PathTable, sendError } from "./http/answers.ts";
import { type MessageLimits, messagesIn, onlyMessageIn, unreadable } from "./rpc-messages.ts";
import { createParser } from "./rpc-parser.ts";
import {
  COMPRESSIONS,
  createRpcAnswer,
  formOf,
  formOfParameters,
  sendGrpcError,
  timeoutOf,
} from "./rpc-protocols.ts";

export interface RpcOptions
  extends MessageLimits,
    Pick<ConnectRouterOptions, "interceptors" | "requestGate" | "shutdownSignal"> {
  /** Adds the services. */
  readonly routes: (add: AddService) => void;
  /** Puts every error that calls end with. */
  readonly report: ReportError;
  /** Values that the gate, the interceptors and the implementation find in their context. */
  readonly contextValues?: (request: NodeRequest) => ContextValues;
}

type MethodOptions = Omit<RpcOptions, "routes">;

/** Adds a service; its own options stand before those of all. */
export type AddService = (service: ServiceImplSpec, own?: Partial<MethodOptions>) => void;

/** Serves RPCs by gRPC, gRPC-Web and Connect, at their paths. */
export function rpcPaths({ routes, ...shared }: RpcOptions): PathTable {
  const paths = new Map<string, PathHandler>();
  routes(({ service, methods }, own) => {
    for (const spec of Object.values(methods)) {
      const handle = createCallHandler(spec, { ...shared, ...own });
      const path = `/${service.typeName}/${spec.method.name}`;
      const isSafe =
        spec.kind === "unary" && spec.method.idempotency === Idempotency.NO_SIDE_EFFECTS;
      // As the Connect protocol has it.
      paths.set(path, { kind: "call", methods: isSafe ? ["POST", "GET"] : ["POST"], handle });
    }
  });
  return paths;
}

/** Why whatever still goes on for a call ends; made once, since its stack costs as much as a refusal. */
const OVER = new ConnectError("the call is over", Code.Canceled);

/**
 * Answers calls of one method in their own protocol. It refuses fields and parameters that a
 * request does not have. It leaves alone what it refused before its end, so that the rest can be
 * skipped.
 *
 * It compresses a single answer by gRPC only where the request was: clients say that they take it
 * whether they gain by it or not.
 */
function createCallHandler(spec: MethodImplSpec, options: MethodOptions): PathHandler["handle"] {
  const { method } = spec;
  const { input, output } = method;
  const parse = createParser(input, options.readMaxValues);
  const { interceptors = [] } = options;
  const isUnary = spec.kind === "unary";

  return async (exchange) => {
    const { request, response } = exchange;
    if (spec.kind === "bidi_streaming" && request.httpVersionMajor === 1) {
      const close = { connection: "close" };
      return sendError(response, 505, "http_version_not_supported", "this takes HTTP/2", close);
    }
    const url = urlOf(request);
    const isGet = request.method === "GET";
    const parameters = url.includes("?") ? new URL(url).searchParams : NO_PARAMETERS;
    const written = isGet ? formOfParameters(parameters) : formOf(request, isUnary);
    if (written === null) {
      const rule = "the content type must be one of gRPC, gRPC-Web or Connect";
      return sendError(response, 415, "unsupported_media_type", rule);
    }
    const [form, isBinary] = written;
    const requestHeader = headersOf(request);
    const timeout = timeoutOf(form, requestHeader);
    const packing = compressionNegotiate(
      COMPRESSIONS,
      isGet ? parameters.get("compression") : requestHeader.get(form.encodingHeader),
      isUnary && form.protocol === "grpc" ? null : requestHeader.get(form.acceptHeader),
      form.acceptHeader,
    );
    const context = createHandlerContext({
      service: method.parent,
      method,
      protocolName: form.protocol,
      requestMethod: request.method ?? "",
      url,
      requestHeader,
      responseHeader: { "content-type": `${form.type}${isBinary ? "proto" : "json"}` },
      timeoutMs: timeout.timeoutMs,
      shutdownSignal: options.shutdownSignal,
      contextValues: options.contextValues?.(request),
    });
    response.once("close", () => context.abort(CLIENT_LEFT));
    const isSingle = isUnary || spec.kind === "client_streaming";
    const answer = createRpcAnswer(exchange, form, packing.response, context, isSingle);
    let failure: ConnectError | null = null;
    try {
      await options.requestGate?.(context);
      const refusal = packing.error ?? timeout.error;
      if (refusal !== undefined) throw refusal;
      checkParameters(parameters, isGet);
      if (spec.kind === "client_streaming") arrivesInParts(request);
      const body = {
        ...form,
        bytes: isGet ? bytesIn(parameters) : bodyOf(request),
        packing: packing.request,
        parse: (bytes: Uint8Array) => parse(bytes, isBinary),
        mayParse: (bytes: number) => mayParse(request, bytes),
      };
      const serialize = (message: Message) =>
        isBinary ? toBinary(output, message) : Buffer.from(toJsonString(output, message));
      if (spec.kind === "unary") {
        const only = await onlyMessageIn(body, options);
        await answer.message(serialize(await invokeUnary(spec, context, only, interceptors)));
      } else {
        const inputs =
          spec.kind === "server_streaming"
            ? createAsyncIterable([await onlyMessageIn(body, options)])
            : messagesIn(body, options);
        for await (const each of invoke(spec, context, inputs, interceptors)) {
          await answer.message(serialize(each));
          if (isAbandoned(request, response)) return;
        }
      }
    } catch (error) {
      failure = options.report(error, method.name);
    } finally {
      context.abort(OVER);
    }
    if (!isAbandoned(request, response)) await answer.end(failure);
  };
}

const NO_PARAMETERS = new URLSearchParams();
/** Of a call by GET, as the Connect protocol has it. */
const GET_PARAMETERS = ["connect", "encoding", "message", "base64", "compression"];

/** A call by POST has no parameters beside its message: what one would scope is not scoped (D7). */
function checkParameters(parameters: URLSearchParams, isGet: boolean): void {
  for (const name of parameters.keys()) {
    if (!isGet || !GET_PARAMETERS.includes(name)) {
      throw invalidField(name, "is not a known parameter");
    }
    if (parameters.getAll(name).length > 1) throw invalidField(name, "must be given once");
  }
}

/** The message of a call by GET. */
async function* bytesIn(parameters: URLSearchParams): AsyncGenerator<Uint8Array> {
  const message = parameters.get("message") ?? "";
  try {
    yield parameters.get("base64") === "1" ? base64Decode(message) : Buffer.from(message);
  } catch (cause) {
    throw unreadable("the message is not in base64", cause);
  }
}

/** Answers by `rest`; to gRPC and gRPC-Web, by headers alone, that there is no such method. */
export function restOrUnknownRpc(rest: NodeHandler): NodeHandler {
  return (request, response) => {
    const type = request.headers["content-type"] ?? "";
    if (!type.startsWith("application/grpc")) return rest(request, response);
    const details = errorInfo("path_not_found");
    const sentence = "there is no such method";
    const error = new ConnectError(sentence, Code.Unimplemented, undefined, details);
    sendGrpcError(response, type, error);
  };
}
