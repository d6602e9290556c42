import {
  arrivesInParts,
  bodyOf,
  headersOf,
  isAbandoned,
  mayParse,
  urlOf,
} from "@agent-memory/transcoding/node-http";
import { create, type DescService } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouterOptions,
  createConnectRouter,
  createServiceImplSpec,
  type ServiceImpl,
} from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { universalResponseToNodeResponse } from "@connectrpc/connect-node";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { CLIENT_LEFT } from "./admission.ts";
import { ERROR_DOMAIN } from "./error-mapping.ts";
import { challengeTo } from "./gate.ts";
import { createGrpcHandler, type GrpcOptions, isGrpcCall, type ServeGrpc } from "./grpc-calls.ts";
import type { Exchange, PathHandler, PathTable } from "./http/path-handler.ts";
import { answerInPieces, COMPRESSIONS, explainAnswer, sendHeadersAlone } from "./rpc-answer.ts";
import { boundedCall, withParameters } from "./rpc-body.ts";

export interface RpcOptions extends GrpcOptions {
  /** What a message may hold: its fields and those of messages in it. */
  readonly readMaxValues: number;
  /** Adds the services. */
  readonly routes: (add: AddService) => void;
}

/** Adds a service; its own options stand before those of all. */
export type AddService = <Service extends DescService>(
  service: Service,
  implementation: Partial<ServiceImpl<Service>>,
  own?: Partial<ConnectRouterOptions & Pick<RpcOptions, "readMaxBytes">>,
) => void;

/**
 * Serves RPCs by gRPC, gRPC-Web and Connect, at their paths. It is made of the parts that
 * Connect exports for adapters, and differs from `connectNodeAdapter` in these points.
 *
 * A body that is refused before its end is left alone: the adapter would destroy the
 * request, and what still arrives of it could no longer be skipped. Messages of
 * errors are readable in grpc-js, and every error has a reason. Deadlines may be as long as
 * gRPC allows. A 401 says how to authenticate. Fields and parameters that a request does not
 * have are refused, and so are messages of too many values, before they are parsed.
 */
export function rpcPaths({ routes, ...shared }: RpcOptions): PathTable {
  const paths = new Map<string, PathHandler>();
  routes((service, implementation, own) => {
    const options = { ...ROUTER_OPTIONS, ...shared, ...own };
    const { methods } = createServiceImplSpec(service, implementation);
    const router = createConnectRouter(options).service(service, implementation);
    for (const handler of router.handlers) {
      const spec = methods[handler.method.localName];
      if (spec === undefined) continue;
      const serveGrpc = createGrpcHandler(spec, options);
      const handle = (exchange: Exchange) => serve(handler, serveGrpc, exchange, options);
      paths.set(handler.requestPath, { kind: "call", methods: null, handle });
    }
  });
  return paths;
}

/** gRPC is answered by `createGrpcHandler`. */
const ROUTER_OPTIONS = {
  acceptCompression: COMPRESSIONS,
  jsonOptions: { ignoreUnknownFields: false },
  grpc: false,
};

async function serve(
  handler: UniversalHandler,
  serveGrpc: ServeGrpc,
  { request, response }: Exchange,
  options: Omit<RpcOptions, "routes">,
): Promise<void> {
  try {
    const header = headersOf(request);
    dropDistantDeadline(header);
    const url = urlOf(request);
    const { method = "", httpVersion } = request;
    const received = { method, header, body: bodyOf(request) };
    const isCall = handler.allowedMethods.includes(method);
    const plain = isCall ? withParameters(received, new URL(url).searchParams) : received;
    const { input, methodKind } = handler.method;
    const isSequence = methodKind === "client_streaming";
    if (isSequence) arrivesInParts(request);
    const call = boundedCall(plain, input, {
      readMaxBytes: options.readMaxBytes,
      readMaxValues: options.readMaxValues,
      acceptCompression: COMPRESSIONS,
      isSequence,
      mayParse: (bytes) => mayParse(request, bytes),
    });
    if (isGrpcCall(request)) return await serveGrpc({ request, response }, call, url);
    const over = new AbortController();
    response.once("close", () => over.abort(CLIENT_LEFT));
    const contextValues = options.contextValues?.(request);
    const answer = await handler({ httpVersion, url, ...call, signal: over.signal, contextValues });
    const explained = await explainAnswer(answer, options.explain);
    const answered = answerInPieces(withChallenge(explained, header));
    await universalResponseToNodeResponse(answered, response);
  } catch (error) {
    // The client went away, before the answer or in the middle of it.
    const isGone = ConnectError.from(error).code === Code.Aborted;
    if (!isGone && !isAbandoned(request, response)) throw error;
  }
}

/** Answers a call of gRPC or gRPC-Web for which there is no method: by headers alone. */
export function answerUnknownRpc({ request, response }: Exchange): void {
  const contentType = request.headers["content-type"] ?? "application/grpc";
  const info = create(ErrorInfoSchema, { reason: "path_not_found", domain: ERROR_DOMAIN });
  const error = new ConnectError("there is no such method", Code.Unimplemented, undefined, [
    { desc: ErrorInfoSchema, value: info },
  ]);
  sendHeadersAlone(setTrailerStatus(new Headers({ "content-type": contentType }), error), response);
}

/** An answer of Connect's that is 401 says how to authenticate, as one over REST does. */
function withChallenge(
  answer: UniversalServerResponse,
  requestHeader: Headers,
): UniversalServerResponse {
  if (answer.status !== 401) return answer;
  const header = new Headers(answer.header);
  header.set("www-authenticate", challengeTo(requestHeader));
  return { ...answer, header };
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
