import { RestError } from "@agent-memory/transcoding/rest-error";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type Compression,
  compressedFlag,
  type EnvelopedMessage,
  envelopeDecompress,
  readAllBytes,
  transformSplitEnvelope,
} from "@connectrpc/connect/protocol";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { Failure, LineFailure } from "../domain/failure.ts";

/** The limits of a message. */
export interface MessageLimits {
  readonly readMaxBytes: number;
  /** Its fields and those of messages in it; as JSON, values at any depth. */
  readonly readMaxValues: number;
}

/** The body of a call, and how its messages are read. */
export interface RpcBody<Message> {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Whether each message stands in an envelope. Else the body is one message. */
  readonly isEnveloped: boolean;
  /** null: nothing is compressed. */
  readonly packing: Compression | null;
  readonly parse: (message: Uint8Array) => Message;
  /** Awaited when a message of so many bytes is whole and unpacked, and before it is parsed. */
  readonly mayParse: (bytes: number) => Promise<void>;
}

/** The flags and the length of an envelope. */
const HEAD_BYTES = 5;

/**
 * The one message of a call. It waits for its turn to be parsed. Throws for a message that is
 * too long, holds too many values, has an unknown field, or cannot be read.
 */
export async function onlyMessageIn<Message>(body: RpcBody<Message>, limits: MessageLimits) {
  const maxBytes = limits.readMaxBytes + (body.isEnveloped ? HEAD_BYTES : 0);
  const bytes = await readAllBytes(body.bytes, maxBytes).catch(tooLong(limits));
  const flags = body.packing === null ? 0 : compressedFlag;
  const envelope = body.isEnveloped ? onlyEnvelopeIn(bytes) : { flags, data: bytes };
  return messageIn(body, envelope, limits, null);
}

/** The messages of a call, one after the other. What is wrong is said of the number of one. */
export async function* messagesIn<Message>(body: RpcBody<Message>, limits: MessageLimits) {
  let number = 0;
  const envelopes = transformSplitEnvelope(limits.readMaxBytes)(body.bytes);
  try {
    for await (const envelope of envelopes) {
      number++;
      yield await messageIn(body, envelope, limits, number);
    }
  } catch (error) {
    throw tooLong(limits)(error);
  }
}

function onlyEnvelopeIn(bytes: Uint8Array): EnvelopedMessage {
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEAD_BYTES || bytes.length !== HEAD_BYTES + head.getUint32(1)) {
    throw unreadable("a call has one message, in an envelope");
  }
  return { flags: head.getUint8(0), data: bytes.subarray(HEAD_BYTES) };
}

/** `line`: the number of the message; null: it is the only one. */
async function messageIn<Message>(
  body: RpcBody<Message>,
  envelope: EnvelopedMessage,
  limits: MessageLimits,
  line: number | null,
): Promise<Message> {
  if (envelope.flags > compressedFlag) throw unreadable("a message has other flags");
  const { data } = await envelopeDecompress(envelope, body.packing, limits.readMaxBytes).catch(
    tooLong(limits),
  );
  await body.mayParse(data.length);
  try {
    return body.parse(data);
  } catch (error) {
    if (line === null) throw error;
    if (error instanceof Failure) throw new LineFailure(line, error);
    throw error instanceof RestError ? new RestError({ ...error.problem, line }) : error;
  }
}

/** Throws an error, in our words where it is what the RPC library says of a message that is too long. */
function tooLong({ readMaxBytes: maxBytes }: MessageLimits) {
  return (error: unknown): never => {
    const isTooLong =
      error instanceof ConnectError &&
      error.code === Code.ResourceExhausted &&
      error.findDetails(ErrorInfoSchema).length === 0;
    throw isTooLong ? new RestError({ kind: "body_too_large", maxBytes }) : error;
  };
}

/** In the words of the RPC library, for whoever explains them. */
export function unreadable(problem: string, cause?: unknown): ConnectError {
  const words = `protocol error: ${problem}`;
  return new ConnectError(words, Code.InvalidArgument, undefined, undefined, cause);
}
