import { holdsMoreValues } from "@agent-memory/transcoding/json";
import { RestError, tooManyValues } from "@agent-memory/transcoding/rest-error";
import type { DescMessage } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { Code, ConnectError } from "@connectrpc/connect";
import { type Compression, encodeEnvelope } from "@connectrpc/connect/protocol";
import { atLine, Failure, invalidField } from "../domain/failure.ts";
import { toConnectError } from "./error-mapping.ts";
import { findRecordProblem } from "./rpc/check-records.ts";

/** What a message may hold. */
export interface MessageLimits {
  readonly readMaxBytes: number;
  /** Its fields and those of messages in it; as JSON, values at any depth. */
  readonly readMaxValues: number;
  readonly acceptCompression: readonly Compression[];
  /** Whether there may be several messages: what is wrong is then said of the number of one. */
  readonly isSequence: boolean;
  /** Awaited when a message of so many bytes is whole, and before it is parsed. */
  readonly mayParse: (bytes: number) => Promise<void>;
}

type Bytes = AsyncIterable<Uint8Array>;

/**
 * A call as the RPC library is to read it: each message in one piece and unpacked, so that it
 * is parsed when it may be, once it is known to hold no more values than it may and, in
 * binary, no field that it does not have. The body throws a ConnectError for one that does.
 * What is cut short, or packed in a way that nobody knows, the library gets as it came, and
 * refuses.
 */
export function boundedCall(
  { method, header, body }: ReceivedCall,
  input: DescMessage,
  limits: MessageLimits,
): ReceivedCall {
  const type = header.get("content-type") ?? "";
  const isStream = /^application\/connect\+/i.test(type);
  const isEnveloped = isStream || /^application\/grpc/i.test(type);
  const named = isStream ? "connect-content-encoding" : isEnveloped ? "grpc-encoding" : null;
  const encoding = header.get(named ?? "content-encoding");
  const packing = limits.acceptCompression.find(({ name }) => name === encoding) ?? null;
  const check = messageCheck(/json/i.test(type) ? null : input, limits);
  if (isEnveloped) return { method, header, body: boundedEnvelopes(body, packing, check, limits) };
  const isPlain = encoding === null || encoding === "identity";
  if (packing === null && !isPlain) return { method, header, body };
  return {
    method,
    header: packing === null ? header : withoutPacking(header, packing),
    body: boundedMessage(body, packing, check, limits),
  };
}

type Check = (message: Uint8Array) => Promise<void>;

async function* boundedEnvelopes(
  body: Bytes,
  packing: Compression | null,
  check: Check,
  limits: MessageLimits,
): AsyncGenerator<Uint8Array> {
  for await (const envelope of envelopesOf(body, limits)) {
    const message = envelope.subarray(PREFIX_BYTES);
    const flags = envelope[0] ?? 0;
    const isPacked = (flags & PACKED) !== 0;
    const isWhole = messageBytesOf(envelope) === message.length;
    const isReadable = isWhole && message.length <= limits.readMaxBytes;
    const unpacked = isPacked && isReadable ? await unpack(message, packing, limits) : message;
    if (isReadable && unpacked !== null) {
      await check(unpacked);
      yield isPacked ? encodeEnvelope(flags & ~PACKED, unpacked) : envelope;
    } else yield envelope;
  }
}

/** null: it cannot be unpacked, or is too long then. */
async function unpack(
  message: Uint8Array,
  packing: Compression | null,
  { readMaxBytes }: MessageLimits,
): Promise<Uint8Array | null> {
  return packing?.decompress(message, readMaxBytes).catch(() => null) ?? null;
}

/** `packing`: null where the message is not compressed. */
async function* boundedMessage(
  body: Bytes,
  packing: Compression | null,
  check: Check,
  limits: MessageLimits,
): AsyncGenerator<Uint8Array> {
  const { readMaxBytes } = limits;
  for await (const whole of wholeOf(body, limits)) {
    if (whole.length <= readMaxBytes) {
      const message = packing === null ? whole : await packing.decompress(whole, readMaxBytes);
      await check(message);
      yield message;
    } else if (packing === null) yield whole;
    // The library would take it for a message that is not compressed.
    else throw toConnectError(new RestError({ kind: "body_too_large", maxBytes: readMaxBytes }));
  }
}

/** The header of a message that is no longer packed; who sent it so still gets such an answer. */
function withoutPacking(received: Headers, { name }: Compression): Headers {
  const header = new Headers(received);
  header.delete("content-encoding");
  header.delete("content-length");
  if (!header.has("accept-encoding")) header.set("accept-encoding", name);
  return header;
}

/** A flag, and the length of the message. */
export const PREFIX_BYTES = 5;
const PACKED = 1;

/** The length of the message in an envelope; null: too little of it is there to tell. */
export function messageBytesOf(envelope: Buffer): number | null {
  return envelope.length < PREFIX_BYTES ? null : envelope.readUInt32BE(1);
}

/** Each envelope in one piece, but for one that is too long or ends early. */
async function* envelopesOf(body: Bytes, { readMaxBytes }: MessageLimits): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  let needed = PREFIX_BYTES;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    while (length >= needed) {
      const bytes = joined(chunks);
      const messageBytes = messageBytesOf(bytes) ?? 0;
      const end = messageBytes > readMaxBytes ? length : PREFIX_BYTES + messageBytes;
      needed = end > length ? end : PREFIX_BYTES;
      const rest = end > length ? bytes : bytes.subarray(end);
      if (end <= length) yield bytes.subarray(0, end);
      chunks = [rest];
      length = rest.length;
    }
  }
  if (length > 0) yield Buffer.concat(chunks);
}

/** Many small messages may stand in one chunk, which is not copied for each of them. */
function joined(chunks: readonly Uint8Array[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(chunks);
}

/** The body in one piece, but for one that is too long. */
async function* wholeOf(body: Bytes, { readMaxBytes }: MessageLimits): AsyncGenerator<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > readMaxBytes) yield Buffer.concat(chunks.splice(0));
  }
  if (chunks.length > 0) yield Buffer.concat(chunks);
}

/** `desc` null: messages are JSON. */
function messageCheck(
  desc: DescMessage | null,
  { readMaxValues, isSequence, mayParse }: MessageLimits,
): Check {
  let number = 0;
  return async (message) => {
    number++;
    await mayParse(message.length);
    const problem =
      desc === null
        ? jsonProblemOf(message, readMaxValues)
        : binaryProblemOf(desc, message, readMaxValues);
    if (problem !== null) throw toConnectError(isSequence ? ofLine(number, problem) : problem);
  };
}

function ofLine(line: number, problem: Failure | RestError): Failure | RestError {
  return problem instanceof Failure
    ? atLine(line, problem)
    : new RestError({ ...problem.problem, line });
}

function jsonProblemOf(message: Uint8Array, maxValues: number): RestError | null {
  return holdsMoreValues(message, maxValues) ? tooManyValues(maxValues) : null;
}

function binaryProblemOf(
  desc: DescMessage,
  message: Uint8Array,
  maxFields: number,
): Failure | RestError | null {
  const problem = recordProblemOf(desc, message, maxFields);
  if (problem?.kind === "too_many") return tooManyValues(maxFields);
  if (problem?.kind === "unknown_field") {
    return invalidField(`${problem.number}`, `is no field number of ${problem.message}`);
  }
  return null;
}

function recordProblemOf(desc: DescMessage, message: Uint8Array, maxFields: number) {
  try {
    return findRecordProblem(desc, message, maxFields);
  } catch (error) {
    // In the words of the RPC library, for whoever explains them.
    throw new ConnectError("parse binary", Code.InvalidArgument, undefined, undefined, error);
  }
}

/** What the RPC library is told of a call. */
export interface ReceivedCall {
  readonly method: string;
  readonly header: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Of a call by GET, as the Connect protocol has it. Other calls have none. */
const GET_PARAMETERS: readonly string[] = [
  "connect",
  "encoding",
  "message",
  "base64",
  "compression",
];

/**
 * A call as it is to be read: what comes by GET is as if it came by POST, so that its message
 * is looked at as every other is; and the body fails, which is read behind the gate, where
 * the URL has parameters that the call does not know (D7).
 */
export function withParameters(call: ReceivedCall, parameters: URLSearchParams): ReceivedCall {
  const isGet = call.method === "GET";
  const read = (isGet ? postOf(parameters, call.header) : null) ?? call;
  return { ...read, body: behindCheck(parameters, isGet ? GET_PARAMETERS : [], read.body) };
}

/** null: its encoding is none, which the RPC library says itself. */
function postOf(parameters: URLSearchParams, received: Headers): ReceivedCall | null {
  const encoding = parameters.get("encoding");
  if (encoding !== "proto" && encoding !== "json") return null;
  const header = new Headers(received);
  header.set("content-type", `application/${encoding}`);
  header.delete("content-length");
  const compression = parameters.get("compression");
  if (compression === null) header.delete("content-encoding");
  else header.set("content-encoding", compression);
  const message = parameters.get("message") ?? "";
  return { method: "POST", header, body: bytesOf(message, parameters.get("base64") === "1") };
}

async function* bytesOf(message: string, isBase64: boolean): AsyncGenerator<Uint8Array> {
  try {
    yield isBase64 ? base64Decode(message) : Buffer.from(message);
  } catch (error) {
    // In the words of the RPC library, for whoever explains them.
    throw new ConnectError("parse binary", Code.InvalidArgument, undefined, undefined, error);
  }
}

async function* behindCheck(
  parameters: URLSearchParams,
  known: readonly string[],
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (const name of parameters.keys()) {
    if (!known.includes(name)) throw refused(name, "is not a known parameter");
    if (parameters.getAll(name).length > 1) throw refused(name, "must be given once");
  }
  yield* body;
}

function refused(name: string, rule: string): ConnectError {
  return toConnectError(invalidField(name, rule));
}
