import {
  isAbandoned,
  type NodeRequest,
  type NodeResponse,
  resetUnread,
  writePiece,
} from "@agent-memory/transcoding/node-http";
import { Code, type ConnectError, type HandlerContext } from "@connectrpc/connect";
import { type Compression, compressedFlag, encodeEnvelope } from "@connectrpc/connect/protocol";
import {
  codeToHttpStatus,
  endStreamFlag,
  endStreamToJson,
  errorToJsonBytes,
  parseTimeout as parseConnectTimeout,
  parseContentType as parseConnectType,
  trailerMux,
} from "@connectrpc/connect/protocol-connect";
import {
  grpcStatusOk,
  parseTimeout as parseGrpcTimeout,
  parseContentType as parseGrpcType,
  setTrailerStatus,
} from "@connectrpc/connect/protocol-grpc";
import {
  parseContentType as parseWebType,
  trailerFlag,
  trailerSerialize,
} from "@connectrpc/connect/protocol-grpc-web";
import { compressionGzip } from "@connectrpc/connect-node";
import { RetryInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { challengeTo } from "./gate.ts";
import type { Exchange } from "./http/answers.ts";

/** The compressions of messages, also of responses where the client takes them. */
export const COMPRESSIONS = [compressionGzip];
/** Shorter messages gain nothing by compression. */
const MIN_PACKED_BYTES = 1_024;

/** How a call is written. */
export interface RpcForm {
  readonly protocol: "grpc" | "grpc-web" | "connect";
  /** Whether each message stands in an envelope. Else a body is one message. */
  readonly isEnveloped: boolean;
  readonly type: string;
  readonly encodingHeader: string;
  readonly acceptHeader: string;
}

const GRPC_ENCODING = { encodingHeader: "grpc-encoding", acceptHeader: "grpc-accept-encoding" };
const GRPC: RpcForm = {
  protocol: "grpc",
  isEnveloped: true,
  type: "application/grpc+",
  ...GRPC_ENCODING,
};
const GRPC_WEB: RpcForm = { ...GRPC, protocol: "grpc-web", type: "application/grpc-web+" };
const CONNECT: RpcForm = {
  protocol: "connect",
  isEnveloped: false,
  type: "application/",
  encodingHeader: "content-encoding",
  acceptHeader: "accept-encoding",
};
const CONNECT_STREAM: RpcForm = {
  protocol: "connect",
  isEnveloped: true,
  type: "application/connect+",
  encodingHeader: "connect-content-encoding",
  acceptHeader: "connect-accept-encoding",
};

/** A form, and whether its messages are binary or JSON. */
export type WrittenForm = readonly [form: RpcForm, isBinary: boolean];

/** The form of a request by POST; null: there is no such form of the method. */
export function formOf(
  { headers, httpVersionMajor }: NodeRequest,
  isUnary: boolean,
): WrittenForm | null {
  const type = headers["content-type"] ?? null;
  const grpc = parseGrpcType(type);
  if (grpc !== undefined && httpVersionMajor === 2) return [GRPC, grpc.binary];
  const web = parseWebType(type);
  if (web !== undefined && !web.text) return [GRPC_WEB, web.binary];
  const connect = parseConnectType(type);
  if (connect === undefined || connect.stream === isUnary) return null;
  return [isUnary ? CONNECT : CONNECT_STREAM, connect.binary];
}

/** The form of a request by GET, as the Connect protocol has it. */
export function formOfParameters(parameters: URLSearchParams): WrittenForm | null {
  const encoding = parameters.get("encoding");
  return encoding === "proto" || encoding === "json" ? [CONNECT, encoding === "proto"] : null;
}

/** The longest that a timer can wait: 24 days. No call lives to see a deadline beyond it. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The milliseconds that a caller gives a call; undefined: it gives no limit. Throws for what says neither. */
export function timeoutOf({ protocol }: RpcForm, header: Headers) {
  const { timeoutMs, error } =
    protocol === "connect"
      ? parseConnectTimeout(header.get("connect-timeout-ms"), Infinity)
      : parseGrpcTimeout(header.get("grpc-timeout"), Infinity);
  const isDistant = timeoutMs !== undefined && timeoutMs > MAX_TIMER_MS;
  return { timeoutMs: isDistant ? undefined : timeoutMs, error };
}

/** How much of a body is written at once; the next piece waits until its reader took this one. */
const PIECE_BYTES = 128 * 1024;

const NOTHING = Buffer.alloc(0);

/**
 * Writes an answer in the form of its request. A single message goes with its end, as one piece. By
 * gRPC an early error is headers alone: behind separate ones, gRPC libraries never repeat the call.
 * `packing`: null where messages are sent as they are.
 */
export function createRpcAnswer(
  { request, response }: Exchange,
  form: RpcForm,
  packing: Compression | null,
  context: Pick<HandlerContext, "requestHeader" | "responseHeader" | "responseTrailer">,
  isSingle: boolean,
) {
  const { requestHeader, responseHeader, responseTrailer } = context;
  /** The message of an answer that has one. */
  let only: Uint8Array | null = null;

  async function packed(message: Uint8Array): Promise<Uint8Array | null> {
    const isLong = message.length >= MIN_PACKED_BYTES;
    return (isLong && (await packing?.compress(message))) || null;
  }

  /** A message in its envelope, compressed where that helps. */
  async function enveloped(message: Uint8Array): Promise<Uint8Array> {
    const bytes = await packed(message);
    if (packing !== null) responseHeader.set(form.encodingHeader, packing.name);
    return encodeEnvelope(bytes === null ? 0 : compressedFlag, bytes ?? message);
  }

  /** Not `writeHead`: it would send them before the end is known. */
  function setHeaders(headers: Headers): void {
    if (response.headersSent) return;
    for (const [name, value] of headers) response.setHeader(name, value);
  }

  /** In pieces, so that a slow reader can be told from one that reads nothing. */
  async function write({ buffer, byteOffset, length }: Uint8Array, isLast: boolean): Promise<void> {
    const bytes = Buffer.from(buffer, byteOffset, length);
    let start = 0;
    for (; length - start > (isLast ? PIECE_BYTES : 0); start += PIECE_BYTES) {
      await writePiece(request, response, bytes.subarray(start, start + PIECE_BYTES));
      if (isAbandoned(request, response)) return;
    }
    if (!isLast) return;
    // An empty piece would be one more frame, behind which gRPC libraries read no error.
    if (start === length) response.end();
    else response.end(bytes.subarray(start));
  }

  function endOfStream(error: ConnectError | null): Uint8Array {
    if (form.protocol === "grpc-web") {
      return encodeEnvelope(trailerFlag, trailerSerialize(responseTrailer));
    }
    const end = endStreamToJson(responseTrailer, error ?? undefined, undefined);
    return encodeEnvelope(endStreamFlag, Buffer.from(JSON.stringify(end)));
  }

  /** The whole of an answer without envelopes. */
  async function sendBody(error: ConnectError | null): Promise<void> {
    const body = error === null ? (only ?? NOTHING) : errorToJsonBytes(error, undefined);
    const bytes = await packed(body);
    response.statusCode = error === null ? 200 : codeToHttpStatus(error.code);
    setHeaders(trailerMux(responseHeader, responseTrailer));
    if (error !== null) response.setHeader("content-type", "application/json");
    if (response.statusCode === 401)
      response.setHeader("www-authenticate", challengeTo(requestHeader.get("authorization")));
    if (bytes !== null && packing !== null) response.setHeader(form.encodingHeader, packing.name);
    const sent = bytes ?? body;
    response.setHeader("content-length", sent.length);
    await write(sent, true);
  }

  return {
    async message(message: Uint8Array): Promise<void> {
      if (isSingle) {
        only = message;
        return;
      }
      const bytes = await enveloped(message);
      setHeaders(responseHeader);
      await write(bytes, false);
    },

    /** The last of the answer. `error`: null where the call succeeded. */
    async end(error: ConnectError | null): Promise<void> {
      if (!form.isEnveloped) return sendBody(error);
      const message = error === null && only !== null ? await enveloped(only) : NOTHING;
      if (form.protocol !== "connect") {
        if (error === null) responseTrailer.set("grpc-status", grpcStatusOk);
        else setError(responseTrailer, error);
      }
      setHeaders(responseHeader);
      if (form.protocol === "grpc") {
        if (error === null || response.headersSent) {
          response.addTrailers(Object.fromEntries(responseTrailer));
        } else setHeaders(responseTrailer);
        await write(message, true);
        if (error !== null) resetUnread(response);
      } else await write(Buffer.concat([message, endOfStream(error)]), true);
    },
  };
}

/** Answers with an error of gRPC or gRPC-Web: by headers alone, which over HTTP/2 are trailers too. */
export function sendGrpcError(response: NodeResponse, type: string, error: ConnectError): void {
  const headers = new Headers({ "content-type": type });
  setError(headers, error);
  for (const [name, value] of headers) response.setHeader(name, value);
  response.end();
  resetUnread(response);
}

/** As gRPC libraries read it, and those that retry by themselves. */
function setError(trailer: Headers, error: ConnectError): void {
  setTrailerStatus(trailer, error);
  const pushback = pushbackOf(error);
  if (pushback !== null) trailer.set(PUSHBACK_TRAILER, pushback);
  const message = trailer.get(GRPC_MESSAGE) ?? "";
  trailer.set(GRPC_MESSAGE, message.replace(ESCAPED_PUNCTUATION, decodeURIComponent));
}

/**
 * The trailer by which gRPC libraries that retry by themselves go (gRFC A6): the milliseconds
 * after which they do, or a negative number, and they do not.
 */
const PUSHBACK_TRAILER = "grpc-retry-pushback-ms";

/** A longer wait is for people: a library that waited for the next billing period would hang. */
export const MAX_PUSHBACK_MS = 30_000;

/**
 * The trailer's value for an error. Null: the client's own policy holds. RESOURCE_EXHAUSTED is a
 * rate, which passes, but also a message that is too large, which never does.
 */
function pushbackOf(error: ConnectError): string | null {
  const seconds = error.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds;
  if (seconds === undefined) return error.code === Code.ResourceExhausted ? "-1" : null;
  const waitMs = Number(seconds) * 1_000;
  return waitMs > MAX_PUSHBACK_MS ? "-1" : String(waitMs);
}

const GRPC_MESSAGE = "grpc-message";

/**
 * Connect escapes the message of an error by encodeURIComponent; grpc-js reads it by
 * decodeURI, which leaves these as they are: `# $ & + , / : ; = ? @`. Its users would
 * read "from 1 to 1%2C000". gRPC asks for none of them to be escaped.
 */
const ESCAPED_PUNCTUATION = /%(?:2[346BCF]|3[ABDF]|40)/g;
