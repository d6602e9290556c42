import { create } from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ConnectRouterOptions,
  type ContextValues,
  createConnectRouter,
  createContextValues,
} from "@connectrpc/connect";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { universalRequestFromNodeRequest } from "@connectrpc/connect-node";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { ERROR_DOMAIN } from "./error-mapping.ts";
import {
  arrivesInParts,
  bodyOf,
  isAbandoned,
  mayParse,
  type NodeHandler,
  type NodeRequest,
  type NodeResponse,
  pathOf,
} from "./rest/node-http.ts";
import { refuseUnknownFields } from "./rpc/unknown-fields.ts";
import { type Explain, explainAnswer } from "./rpc-answer.ts";
import { boundedBody } from "./rpc-body.ts";
import { COMPRESSIONS } from "./rpc-compression.ts";
import { holdBackLarge, placeForLarge, withLarge } from "./rpc-large-answer.ts";
import { sendAnswer, sendHeadersAlone } from "./rpc-send.ts";

export interface RpcHandlerOptions extends ConnectRouterOptions {
  readonly readMaxBytes: number;
  /** What a message may hold: its fields and those of messages in it. */
  readonly readMaxValues: number;
  /** Adds the services. */
  readonly routes: (router: ConnectRouter) => void;
  /** Puts errors as callers are to read them, those of Connect itself too. */
  readonly explain: Explain;
  /** Values that the gate, the interceptors and the implementation find in their context. */
  readonly contextValues?: (request: NodeRequest, response: NodeResponse) => ContextValues;
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
 * gRPC allows. Large answers are written piece by piece. And fields that a request does not have are refused, and messages of too
 * many values before they are read.
 */
export function createRpcHandler({
  routes,
  fallback,
  explain,
  contextValues,
  ...options
}: RpcHandlerOptions): NodeHandler {
  const acceptCompression = COMPRESSIONS;
  const router = createConnectRouter({
    acceptCompression,
    jsonOptions: { ignoreUnknownFields: false },
    ...options,
    interceptors: [holdBackLarge, ...(options.interceptors ?? []), refuseUnknownFields],
  });
  routes(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  return async (request, response) => {
    const handler = handlers.get(pathOf(request) ?? "");
    if (handler === undefined) {
      const grpcType = /^application\/grpc/.exec(request.headers["content-type"] ?? "")?.input;
      return grpcType === undefined
        ? fallback(request, response)
        : answerUnknown(response, grpcType);
    }
    const values = contextValues?.(request, response) ?? createContextValues();
    const place = placeForLarge(values);
    const universal = universalRequestFromNodeRequest(request, response, undefined, values);
    try {
      dropDistantDeadline(universal.header);
      const url = request.method === "GET" ? withBase64(universal.url) : universal.url;
      const { input, methodKind } = handler.method;
      if (methodKind === "client_streaming") arrivesInParts(request);
      const body = boundedBody(bodyOf(request), universal.header, input, {
        ...options,
        acceptCompression,
        mayParse: (bytes) => mayParse(request, bytes),
      });
      const signal = signalOf(universal);
      const answer = await handler({ ...universal, url, body, signal });
      const explained = withLarge(await explainAnswer(answer, explain), place);
      await sendAnswer(explained, response);
    } catch (error) {
      // The client went away, before the answer or in the middle of it.
      const isGone = ConnectError.from(error).code === Code.Aborted;
      if (!isGone && !isAbandoned(request, response)) throw error;
    }
  };
}

/** What gRPC and gRPC-Web expect where there is no such method: an answer of headers alone. */
function answerUnknown(response: NodeResponse, contentType: string): void {
  const info = create(ErrorInfoSchema, { reason: "path_not_found", domain: ERROR_DOMAIN });
  const error = new ConnectError("there is no such method", Code.Unimplemented, undefined, [
    { desc: ErrorInfoSchema, value: info },
  ]);
  sendHeadersAlone(setTrailerStatus(new Headers({ "content-type": contentType }), error), response);
}

/**
 * The URL of a Connect GET whose message is no base64, with one that can't be read: Connect
 * reports the first as an error of the service, the other as the caller's.
 */
function withBase64(url: string): string {
  const { searchParams, href } = new URL(url);
  if (searchParams.get("base64") !== "1") return url;
  try {
    base64Decode(searchParams.get("message") ?? "");
    return url;
  } catch {
    const readable = new URL(href);
    readable.searchParams.set("message", UNREADABLE_MESSAGE);
    return readable.href;
  }
}

/** A byte that begins neither a message in binary nor one in JSON. */
const UNREADABLE_MESSAGE = base64Encode(Uint8Array.of(0x07), "url");

/**
 * That the client went away, however it did: Connect takes a reset that blames the service
 * for a defect of it.
 */
function signalOf({ signal }: UniversalServerRequest): AbortSignal {
  const gone = new AbortController();
  const abort = () => gone.abort(new ConnectError("the client went away", Code.Canceled));
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return gone.signal;
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
