import { holdsMoreValues } from "@agent-memory/transcoding/json";
import { RestError, tooManyValues } from "@agent-memory/transcoding/rest-error";
import type { DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type Compression,
  envelopeDecompress,
  readAllBytes,
  transformSplitEnvelope,
} from "@connectrpc/connect/protocol";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { atLine, Failure, invalidField } from "../domain/failure.ts";
import { findRecordProblem } from "./rpc/check-records.ts";

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
  readonly desc: DescMessage;
  /** false: messages are JSON. */
  readonly isBinary: boolean;
  readonly parse: (message: Uint8Array) => Message;
  /** Whether there may be several messages: what is wrong is then said of the number of one. */
  readonly isSequence: boolean;
  /** Awaited when a message of so many bytes is whole and unpacked, and before it is parsed. */
  readonly mayParse: (bytes: number) => Promise<void>;
}

/** The highest flags of an envelope of a message: that of compression alone. */
const MESSAGE_FLAGS = 1;

/**
 * The messages of a call. Each waits for its turn to be parsed. Throws for a message that is too
 * long, holds too many values, has an unknown field, or cannot be read.
 */
export async function* messagesIn<Message>(
  body: RpcBody<Message>,
  limits: MessageLimits,
): AsyncGenerator<Message> {
  const maxBytes = limits.readMaxBytes;
  const messages = body.isEnveloped ? unpackedIn(body, maxBytes) : wholeOf(body, maxBytes);
  let number = 0;
  try {
    for await (const message of messages) {
      number++;
      await body.mayParse(message.length);
      const problem = problemOf(body, message, limits.readMaxValues);
      if (problem !== null) throw body.isSequence ? ofLine(number, problem) : problem;
      yield body.parse(message);
    }
  } catch (error) {
    throw isTooLong(error) ? new RestError({ kind: "body_too_large", maxBytes }) : error;
  }
}

async function* unpackedIn(
  { bytes, packing }: Pick<RpcBody<unknown>, "bytes" | "packing">,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  for await (const envelope of transformSplitEnvelope(maxBytes)(bytes)) {
    if (envelope.flags > MESSAGE_FLAGS) {
      throw new ConnectError("unexpected end flag", Code.InvalidArgument);
    }
    yield (await envelopeDecompress(envelope, packing, maxBytes)).data;
  }
}

async function* wholeOf(
  { bytes, packing }: Pick<RpcBody<unknown>, "bytes" | "packing">,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const whole = await readAllBytes(bytes, maxBytes);
  yield packing === null ? whole : await packing.decompress(whole, maxBytes);
}

/** Whether it is what the RPC library says of a message that is too long. */
function isTooLong(error: unknown): boolean {
  return (
    error instanceof ConnectError &&
    error.code === Code.ResourceExhausted &&
    error.findDetails(ErrorInfoSchema).length === 0
  );
}

function ofLine(line: number, problem: Failure | RestError): Failure | RestError {
  return problem instanceof Failure
    ? atLine(line, problem)
    : new RestError({ ...problem.problem, line });
}

function problemOf(
  { desc, isBinary }: Pick<RpcBody<unknown>, "desc" | "isBinary">,
  message: Uint8Array,
  maxValues: number,
): Failure | RestError | null {
  if (!isBinary) return holdsMoreValues(message, maxValues) ? tooManyValues(maxValues) : null;
  const problem = recordProblemOf(desc, message, maxValues);
  if (problem?.kind === "too_many") return tooManyValues(maxValues);
  if (problem?.kind === "unknown_field") {
    return invalidField(`${problem.number}`, `is no field number of ${problem.message}`);
  }
  return null;
}

function recordProblemOf(desc: DescMessage, message: Uint8Array, maxValues: number) {
  try {
    return findRecordProblem(desc, message, maxValues);
  } catch (cause) {
    // In the words of the RPC library, for whoever explains them.
    throw new ConnectError("parse binary", Code.InvalidArgument, undefined, undefined, cause);
  }
}
