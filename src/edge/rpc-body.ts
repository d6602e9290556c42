import type { DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Compression } from "@connectrpc/connect/protocol";
import { invalidField } from "../domain/failure.ts";
import { toConnectError } from "./error-mapping.ts";
import { holdsMoreValues } from "./rest/json/count-values.ts";
import { tooManyValues } from "./rest/rest-error.ts";
import { findRecordProblem } from "./rpc/check-records.ts";

/** What a message may hold. */
export interface MessageLimits {
  readonly readMaxBytes: number;
  /** Its fields and those of messages in it; as JSON, values at any depth. */
  readonly readMaxValues: number;
  readonly acceptCompression: readonly Compression[];
  /** Awaited when a message of so many bytes is whole, and before it is parsed. */
  readonly mayParse: (bytes: number) => Promise<void>;
}

type Bytes = AsyncIterable<Uint8Array>;

/**
 * The body of a call as the RPC library is to read it: each message in one piece, once it
 * is known to hold no more values than it may and, in binary, no field that it does not
 * have. Throws a ConnectError for one that does. What is too long, cut short or packed
 * wrongly the library gets as it came, and refuses.
 */
export async function* boundedBody(
  body: Bytes,
  header: Headers,
  input: DescMessage,
  limits: MessageLimits,
): AsyncGenerator<Uint8Array> {
  const type = header.get("content-type") ?? "";
  const isStream = /^application\/connect\+/i.test(type);
  const isEnveloped = isStream || /^application\/grpc/i.test(type);
  const named = isStream ? "connect-content-encoding" : isEnveloped ? "grpc-encoding" : null;
  const encoding = header.get(named ?? "content-encoding");
  const desc = /json/i.test(type) ? null : input;
  if (isEnveloped) {
    for await (const envelope of envelopesOf(body, limits)) {
      const message = envelope.subarray(PREFIX_BYTES);
      const isPacked = ((envelope[0] ?? 0) & PACKED) !== 0;
      if (messageBytesOf(envelope) === message.length) {
        await checkMessage(message, isPacked ? encoding : null, desc, limits);
      }
      yield envelope;
    }
  } else {
    for await (const message of wholeOf(body, limits)) {
      await checkMessage(message, encoding, desc, limits);
      yield message;
    }
  }
}

/** A flag, and the length of the message. */
const PREFIX_BYTES = 5;
const PACKED = 1;

/** The length of the message in an envelope; null: too little of it is there to tell. */
function messageBytesOf(envelope: Buffer): number | null {
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
      const bytes = Buffer.concat(chunks);
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

/** `desc` null: the message is JSON. */
async function checkMessage(
  packed: Buffer,
  encoding: string | null,
  desc: DescMessage | null,
  limits: MessageLimits,
): Promise<void> {
  const message = await unpack(packed, encoding, limits);
  if (message === null) return;
  const { readMaxValues, mayParse } = limits;
  await mayParse(message.length);
  if (desc !== null) checkBinary(desc, message, readMaxValues);
  else if (holdsMoreValues(message, readMaxValues)) {
    throw toConnectError(tooManyValues(readMaxValues));
  }
}

function checkBinary(desc: DescMessage, message: Uint8Array, maxFields: number): void {
  const problem = recordProblemOf(desc, message, maxFields);
  if (problem?.kind === "too_many") throw toConnectError(tooManyValues(maxFields));
  if (problem?.kind === "unknown_field") {
    const rule = `is no field number of ${problem.message}`;
    throw toConnectError(invalidField(`${problem.number}`, rule));
  }
}

function recordProblemOf(desc: DescMessage, message: Uint8Array, maxFields: number) {
  try {
    return findRecordProblem(desc, message, maxFields);
  } catch (error) {
    // In the words of the RPC library, for whoever explains them.
    throw new ConnectError("parse binary", Code.InvalidArgument, undefined, undefined, error);
  }
}

/** null: it is too long, or nobody can unpack it. */
async function unpack(
  message: Uint8Array,
  encoding: string | null,
  { acceptCompression, readMaxBytes }: MessageLimits,
): Promise<Uint8Array | null> {
  if (message.length > readMaxBytes) return null;
  if (encoding === null || encoding === "identity") return message;
  const compression = acceptCompression.find(({ name }) => name === encoding);
  return compression?.decompress(message, readMaxBytes).catch(() => null) ?? null;
}
