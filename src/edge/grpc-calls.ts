import { invoke } from "@agent-memory/transcoding";
import { isAbandoned, type NodeRequest, writePiece } from "@agent-memory/transcoding/node-http";
import { RestError } from "@agent-memory/transcoding/rest-error";
import {
  Code,
  ConnectError,
  type ConnectRouterOptions,
  type ContextValues,
  createHandlerContext,
  type MethodImplSpec,
} from "@connectrpc/connect";
import {
  compressedFlag,
  compressionNegotiate,
  createMethodSerializationLookup,
  encodeEnvelope,
} from "@connectrpc/connect/protocol";
import {
  contentTypeJson,
  contentTypeProto,
  grpcStatusOk,
  parseContentType,
  parseTimeout,
  setTrailerStatus,
} from "@connectrpc/connect/protocol-grpc";
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
export interface GrpcOptions
  extends Pick<
    ConnectRouterOptions,
    "interceptors" | "requestGate" | "jsonOptions" | "shutdownSignal"
  > {
  readonly readMaxBytes: number;
  /** Puts errors as callers are to read them, those of the RPC library too. */
  readonly explain: Explain;
  /** Values that the gate, the interceptors and the implementation find in their context. */
  readonly contextValues?: (request: NodeRequest) => ContextValues;
}

/** Answers a call of one method by gRPC. */
export type ServeGrpc = (exchange: Exchange, call: ReceivedCall, url: string) => Promise<void>;

/** The longest that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** As the RPC library has it where nothing else is said. */
const MAX_WRITTEN_BYTES = 0xffffffff;
const ACCEPT_ENCODING = "grpc-accept-encoding";
/** Shorter messages gain nothing by compression. */
const MIN_PACKED_BYTES = 1_024;
/** Why whatever still goes on for a call ends; made once, since its stack costs as much as a refusal. */
const OVER = new ConnectError("the call is over", Code.Canceled);

/** Whether a request is a call of gRPC that is answered here. */
export function isGrpcCall({ httpVersionMajor, method, headers }: NodeRequest): boolean {
  const type = parseContentType(headers["content-type"] ?? null);
  return httpVersionMajor === 2 && method === "POST" && type !== undefined;
}

/**
 * Answers calls of gRPC directly on HTTP/2: as the RPC library does, for a small part of what
 * its adapter costs. A single answer is compressed only where its request was: clients say
 * that they take it, whether they gain by it or not. An error that comes before any message is
 * sent as headers alone: where headers come first, gRPC libraries take it that the answer
 * has begun, and never repeat the call.
 */
export function createGrpcHandler(spec: MethodImplSpec, options: GrpcOptions): ServeGrpc {
  const { method } = spec;
  const { readMaxBytes, jsonOptions, interceptors = [] } = options;
  const limits = { readMaxBytes, writeMaxBytes: MAX_WRITTEN_BYTES };
  const serialization = createMethodSerializationLookup(method, undefined, jsonOptions, limits);

  return async ({ request, response }, { header, body }, url) => {
    const type = header.get("content-type");
    const isBinary = parseContentType(type)?.binary ?? true;
    const timeout = parseTimeout(header.get("grpc-timeout"), MAX_TIMER_MS);
    const encoding = header.get("grpc-encoding");
    const accepted = spec.kind === "unary" ? null : header.get(ACCEPT_ENCODING);
    const packing = compressionNegotiate(COMPRESSIONS, encoding, accepted, ACCEPT_ENCODING);
    const context = createHandlerContext({
      service: method.parent,
      method,
      protocolName: "grpc",
      requestMethod: "POST",
      url,
      requestHeader: header,
      responseHeader: { "content-type": isBinary ? contentTypeProto : contentTypeJson },
      timeoutMs: timeout.timeoutMs,
      shutdownSignal: options.shutdownSignal,
      contextValues: options.contextValues?.(request),
    });
    const { responseHeader, responseTrailer } = context;
    response.once("close", () => context.abort(CLIENT_LEFT));

    async function send(message: Uint8Array): Promise<void> {
      const isLong = message.length >= MIN_PACKED_BYTES;
      const packed = isLong ? await packing.response?.compress(message) : undefined;
      const envelope = encodeEnvelope(packed ? compressedFlag : 0, packed ?? message);
      if (!response.headersSent) {
        if (packing.response) responseHeader.set("grpc-encoding", packing.response.name);
        for (const [name, value] of responseHeader) response.setHeader(name, value);
      }
      const bytes = Buffer.from(envelope.buffer, envelope.byteOffset, envelope.length);
      for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
        // In pieces, so that a slow reader can be told from one that reads nothing.
        await writePiece(request, response, bytes.subarray(start, start + PIECE_BYTES));
      }
    }

    try {
      await options.requestGate?.(context);
      const refusal = packing.error ?? timeout.error;
      if (refusal !== undefined) throw refusal;
      const { parse } = serialization.getI(isBinary);
      const { serialize } = serialization.getO(isBinary);
      const inputs = messagesIn(body, parse, readMaxBytes);
      for await (const output of invoke(spec, context, inputs, interceptors)) {
        await send(serialize(output));
        if (isAbandoned(request, response)) return;
      }
      responseTrailer.set("grpc-status", grpcStatusOk);
    } catch (error) {
      const known = error instanceof ConnectError ? error : internal(error);
      setTrailerStatus(responseTrailer, known);
      finishTrailer(responseTrailer, options.explain);
    } finally {
      context.abort(OVER);
    }
    if (isAbandoned(request, response)) return;
    if (response.headersSent) {
      response.addTrailers(Object.fromEntries(responseTrailer));
      response.end();
    } else sendHeadersAlone(new Headers([...responseHeader, ...responseTrailer]), response);
  };
}

/** In the words of the RPC library, which tell nothing of what it was. */
function internal(cause: unknown): ConnectError {
  return new ConnectError("internal error", Code.Internal, undefined, undefined, cause);
}

/** The messages of a body of whole, unpacked envelopes. */
async function* messagesIn<T>(
  envelopes: AsyncIterable<Uint8Array>,
  parse: (message: Uint8Array) => T,
  maxBytes: number,
): AsyncGenerator<T> {
  for await (const { buffer, byteOffset, length } of envelopes) {
    const envelope = Buffer.from(buffer, byteOffset, length);
    const bytes = messageBytesOf(envelope);
    if (bytes !== null && bytes > maxBytes) {
      throw toConnectError(new RestError({ kind: "body_too_large", maxBytes }));
    }
    const isPacked = ((envelope[0] ?? 0) & compressedFlag) !== 0;
    if (bytes !== length - PREFIX_BYTES || isPacked) {
      // In the words of the RPC library, for whoever explains them.
      throw new ConnectError("protocol error: incomplete envelope", Code.InvalidArgument);
    }
    yield parse(envelope.subarray(PREFIX_BYTES));
  }
}
