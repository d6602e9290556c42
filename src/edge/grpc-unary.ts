import { invokeUnary } from "@agent-memory/transcoding";
import {
  isAbandoned,
  type NodeRequest,
  type NodeResponse,
  writePiece,
} from "@agent-memory/transcoding/node-http";
import { RestError } from "@agent-memory/transcoding/rest-error";
import { type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouterOptions,
  type ContextValues,
  createHandlerContext,
  type MethodImplSpec,
} from "@connectrpc/connect";
import { compressedFlag, compressionNegotiate, encodeEnvelope } from "@connectrpc/connect/protocol";
import { parseTimeout, setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { CLIENT_LEFT } from "./admission.ts";
import { toConnectError } from "./error-mapping.ts";
import type { Exchange } from "./http/path-handler.ts";
import {
  COMPRESSIONS,
  type Explain,
  finishTrailer,
  PIECE_BYTES,
  sendHeadersAlone,
} from "./rpc-answer.ts";
import { messageBytesOf, PREFIX_BYTES, type ReceivedCall } from "./rpc-body.ts";

/** As the RPC library takes them; the limit is that of the message. */
export interface UnaryOptions extends Pick<ConnectRouterOptions, "interceptors" | "requestGate"> {
  readonly readMaxBytes: number;
  /** Puts errors as callers are to read them, those of the RPC library too. */
  readonly explain: Explain;
  /** Values that the gate, the interceptors and the implementation find in their context. */
  readonly contextValues?: (request: NodeRequest) => ContextValues;
}

export type UnarySpec = MethodImplSpec & { readonly kind: "unary" };

/** Whether a call is one of gRPC in binary, which is answered here where it is unary. */
export function isBinaryGrpc({ httpVersionMajor, method, headers }: NodeRequest): boolean {
  const type = headers["content-type"] ?? "";
  return httpVersionMajor === 2 && method === "POST" && /^application\/grpc(\+proto)?$/i.test(type);
}

/** The longest that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Why whatever still goes on for a call ends; made once, since its stack costs as much as a refusal. */
const OVER = new ConnectError("the call is over", Code.Canceled);

/**
 * Answers a unary call of gRPC directly on HTTP/2: as the RPC library does, for a small part
 * of what its adapter costs. Only the answer to a compressed request is compressed: clients
 * say that they take it, whether they gain by it or not.
 */
export async function serveUnary(
  spec: UnarySpec,
  { request, response }: Exchange,
  { url, header, body }: ReceivedCall & { readonly url: string },
  options: UnaryOptions,
): Promise<void> {
  const { method } = spec;
  const timeout = parseTimeout(header.get("grpc-timeout"), MAX_TIMER_MS);
  const encoding = header.get("grpc-encoding");
  const packing = compressionNegotiate(COMPRESSIONS, encoding, null, "grpc-accept-encoding");
  const context = createHandlerContext({
    service: method.parent,
    method,
    protocolName: "grpc",
    requestMethod: "POST",
    url,
    requestHeader: header,
    timeoutMs: timeout.timeoutMs,
    contextValues: options.contextValues?.(request),
  });
  const { responseHeader, responseTrailer } = context;
  responseHeader.set("content-type", "application/grpc+proto");
  response.once("close", () => context.abort(CLIENT_LEFT));
  try {
    await options.requestGate?.(context);
    const refusal = packing.error ?? timeout.error;
    if (refusal !== undefined) throw refusal;
    const input = read(method.input, await onlyMessage(body, options.readMaxBytes));
    const { interceptors = [] } = options;
    const output = await invokeUnary({ implementation: spec }, context, input, interceptors);
    const message = toBinary(method.output, output);
    const packed = await packing.response?.compress(message);
    if (packing.response !== null) responseHeader.set("grpc-encoding", packing.response.name);
    if (isAbandoned(request, response)) return;
    for (const [name, value] of responseHeader) response.setHeader(name, value);
    response.addTrailers({ ...Object.fromEntries(responseTrailer), "grpc-status": "0" });
    await send(request, response, encodeEnvelope(packed ? compressedFlag : 0, packed ?? message));
  } catch (error) {
    if (response.headersSent) throw error;
    if (isAbandoned(request, response)) return;
    const known = error instanceof ConnectError ? error : internal(error);
    setTrailerStatus(responseHeader, known);
    finishTrailer(responseHeader, options.explain);
    sendHeadersAlone(responseHeader, response);
  } finally {
    context.abort(OVER);
  }
}

/** In the words of the RPC library, which tell nothing of what it was. */
function internal(cause: unknown): ConnectError {
  return new ConnectError("internal error", Code.Internal, undefined, undefined, cause);
}

/** The message of a body of whole envelopes that has just one. */
async function onlyMessage(
  envelopes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  let message: Uint8Array | null = null;
  for await (const envelope of envelopes) {
    const bytes = messageBytesOf(
      Buffer.from(envelope.buffer, envelope.byteOffset, envelope.length),
    );
    if (bytes !== null && bytes > maxBytes) {
      throw toConnectError(new RestError({ kind: "body_too_large", maxBytes }));
    }
    const isPacked = ((envelope[0] ?? 0) & compressedFlag) !== 0;
    if (message !== null || bytes !== envelope.length - PREFIX_BYTES || isPacked) {
      throw unreadable();
    }
    message = envelope.subarray(PREFIX_BYTES);
  }
  if (message === null) throw unreadable();
  return message;
}

function read<Desc extends DescMessage>(desc: Desc, message: Uint8Array): MessageShape<Desc> {
  try {
    return fromBinary(desc, message);
  } catch (error) {
    throw unreadable(error);
  }
}

/** In the words of the RPC library, for whoever explains them. */
function unreadable(cause?: unknown): ConnectError {
  return new ConnectError("parse binary", Code.InvalidArgument, undefined, undefined, cause);
}

/** In pieces, so that a slow reader can be told from one that reads nothing. */
async function send(
  request: NodeRequest,
  response: NodeResponse,
  { buffer, byteOffset, length }: Uint8Array,
): Promise<void> {
  const bytes = Buffer.from(buffer, byteOffset, length);
  let start = 0;
  for (; length - start > PIECE_BYTES; start += PIECE_BYTES) {
    await writePiece(request, response, bytes.subarray(start, start + PIECE_BYTES));
    if (isAbandoned(request, response)) return;
  }
  response.end(bytes.subarray(start));
}
