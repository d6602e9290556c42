import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { type NodeResponse, resetUnread } from "@agent-memory/transcoding/node-http";
import { Code, ConnectError } from "@connectrpc/connect";
import { encodeEnvelope, type UniversalServerResponse } from "@connectrpc/connect/protocol";
import {
  codeToHttpStatus,
  endStreamFlag,
  endStreamFromJson,
  endStreamToJson,
  errorFromJsonBytes,
  errorToJsonBytes,
} from "@connectrpc/connect/protocol-connect";
import { findTrailerError, setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { trailerFlag, trailerParse, trailerSerialize } from "@connectrpc/connect/protocol-grpc-web";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import { RetryInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { MAX_BODY_BYTES } from "../domain/limits.ts";

/** Brotli is meant for files: by default it works a hundred times longer for a tenth fewer bytes. */
const BROTLI_QUALITY = 4;

const brotli = promisify(brotliCompress);

const quickBrotli: typeof compressionBrotli = {
  ...compressionBrotli,
  async compress(bytes) {
    return brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  },
};

/** The compressions of messages, also of responses where the client takes them. */
export const COMPRESSIONS = [compressionGzip, quickBrotli];

/** What a caller is told of an error; the same object where there is nothing to change. */
export type Explain = (error: ConnectError) => ConnectError;

/** An error repeats at most what was sent, in JSON. */
const MAX_ERROR_BYTES = 8 * MAX_BODY_BYTES;

/**
 * The answer of a handler of Connect's, with its error as `explain` puts it. Handlers find
 * errors of their own where no interceptor sees them: a message that can't be read, one
 * that is too long.
 */
export async function explainAnswer(
  answer: UniversalServerResponse,
  explain: Explain,
): Promise<UniversalServerResponse> {
  const { body, header, status } = answer;
  const type = header?.get("content-type") ?? "";
  if (body === undefined) return answer;
  if (type.startsWith("application/grpc-web")) {
    return { ...answer, body: explainedInBody(body, explain) };
  }
  if (status === 200 && type.startsWith("application/connect+")) {
    return { ...answer, body: explainedAtEnd(body, explain) };
  }
  // An error of Connect's is JSON, whatever the request was.
  if (status === 200 || header === undefined) return answer;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const written = Buffer.concat(chunks);
  const packing = COMPRESSIONS.find(({ name }) => name === header.get("content-encoding"));
  const bytes = packing ? await packing.decompress(written, MAX_ERROR_BYTES) : written;
  const error = errorFromJsonBytes(bytes, undefined, new ConnectError("unreadable error"));
  const explained = explain(error);
  if (explained === error) return { ...answer, body: once(written) };
  const rewritten = errorToJsonBytes(explained, undefined);
  const headers = new Headers(header);
  headers.delete("content-encoding");
  headers.set("content-length", String(rewritten.byteLength));
  return {
    ...answer,
    status: codeToHttpStatus(explained.code),
    header: headers,
    body: once(rewritten),
  };
}

/** How much of a body is written at once; the next piece waits until its reader took this one. */
export const PIECE_BYTES = 64 * 1024;

/** The answer with its body in pieces, so that a slow reader can be told from one that reads nothing. */
export function answerInPieces(answer: UniversalServerResponse): UniversalServerResponse {
  return answer.body === undefined ? answer : { ...answer, body: inPieces(answer.body) };
}

async function* inPieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      yield chunk.subarray(start, start + PIECE_BYTES);
    }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * The trailer by which gRPC libraries that retry by themselves go (gRFC A6): the milliseconds
 * after which they do, or a negative number, and they do not.
 */
const PUSHBACK_TRAILER = "grpc-retry-pushback-ms";

/** A longer wait is for people: a library that waited for the next billing period would hang. */
export const MAX_PUSHBACK_MS = 30_000;

/**
 * What an error asks of them; null: nothing, their own policy holds. RESOURCE_EXHAUSTED is a
 * rate, which passes, but also a message that is too large, which never does.
 */
function pushbackOf(error: ConnectError): string | null {
  const seconds = error.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds;
  if (seconds === undefined) return error.code === Code.ResourceExhausted ? "-1" : null;
  const waitMs = Number(seconds) * 1_000;
  return waitMs > MAX_PUSHBACK_MS ? "-1" : String(waitMs);
}

/** Puts the error in a trailer of gRPC, if there is one, as its callers are to read it. */
export function finishTrailer(trailer: Headers, explain: Explain): void {
  explainTrailer(trailer, explain);
  const error = findTrailerError(trailer);
  const pushback = error === undefined ? null : pushbackOf(error);
  if (pushback !== null) trailer.set(PUSHBACK_TRAILER, pushback);
  const message = trailer.get(GRPC_MESSAGE);
  if (message === null) return;
  trailer.set(
    GRPC_MESSAGE,
    message.replace(ESCAPED_PUNCTUATION, (escaped) => decodeURIComponent(escaped)),
  );
}

const GRPC_MESSAGE = "grpc-message";

/**
 * Connect escapes the message of an error by encodeURIComponent; grpc-js reads it by
 * decodeURI, which leaves these as they are: `# $ & + , / : ; = ? @`. Its users would
 * read "from 1 to 1%2C000". gRPC asks for none of them to be escaped.
 */
const ESCAPED_PUNCTUATION = /%(?:2[346BCF]|3[ABDF]|40)/g;

const ENVELOPE_PREFIX_BYTES = 5;

/** gRPC-Web: the trailer is the last envelope of the body; each chunk is one envelope. */
async function* explainedInBody(
  body: AsyncIterable<Uint8Array>,
  explain: Explain,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    // A compressed one, of more than a kilobyte, is one of ours.
    if (chunk[0] !== trailerFlag) yield chunk;
    else {
      const trailer = trailerParse(chunk.subarray(ENVELOPE_PREFIX_BYTES));
      yield explainTrailer(trailer, explain)
        ? encodeEnvelope(trailerFlag, trailerSerialize(trailer))
        : chunk;
    }
  }
}

/** A stream of Connect's: its last envelope tells the error in JSON; each chunk is one envelope. */
async function* explainedAtEnd(
  body: AsyncIterable<Uint8Array>,
  explain: Explain,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    // A compressed one is one of ours.
    if (chunk[0] !== endStreamFlag) {
      yield chunk;
      continue;
    }
    const { metadata, error } = endStreamFromJson(chunk.subarray(ENVELOPE_PREFIX_BYTES));
    const explained = error && explain(error);
    yield explained === error
      ? chunk
      : encodeEnvelope(
          endStreamFlag,
          Buffer.from(JSON.stringify(endStreamToJson(metadata, explained, undefined))),
        );
  }
}

/** Returns whether anything changed. */
function explainTrailer(trailer: Headers, explain: Explain): boolean {
  const error = findTrailerError(trailer);
  const explained = error && explain(error);
  if (explained === error || explained === undefined) return false;
  setTrailerStatus(trailer, explained);
  return true;
}

/** Over HTTP/2 the headers that end a stream are its trailers too. */
export function sendHeadersAlone(headers: Headers, response: NodeResponse): void {
  // Not `writeHead`: it would send them before the end is known.
  for (const [name, value] of headers) response.setHeader(name, value);
  response.end();
  resetUnread(response);
}
