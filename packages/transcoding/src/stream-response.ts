import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { isFlat, jsonNameOf, responseTypeOf } from "./json/field.ts";
import {
  type AnyMessage,
  asMessage,
  inPieces,
  type JsonWriterCompiler,
  jsonNamesOf,
  type WriteJsonPieces,
} from "./json/writer.ts";
import {
  isAbandoned,
  type NodeRequest,
  type NodeResponse,
  setHeaders,
  writePiece,
} from "./node-http.ts";
import { JSON_LINES_TYPE } from "./route.ts";

/** The name of the error that ends a stream, in the place of a message. */
const ERROR = "error";
const FOR_ERRORS_ONLY = `\`${ERROR}\` is for errors only`;

export interface StreamFormat {
  readonly contentType: string;
  /** One message, in pieces. Throws for what JSON cannot express, in the middle too. */
  readonly message: WriteJsonPieces;
  /** The error that ends the stream; `json` is an object on one line. */
  error(json: string): string;
  /** Text that keeps an idle stream open; null: the format has none. */
  readonly keepAlive: string | null;
}

/** One message a line (https://github.com/ndjson/ndjson-spec); an error as `{"error": {…}}`. */
export function jsonLines(
  line: DescMessage | DescField,
  writers: JsonWriterCompiler,
): StreamFormat {
  const type = line.kind === "message" ? line : line.message;
  if (type !== undefined && jsonNamesOf(type).has(ERROR)) {
    throw new Error(`${type.typeName}: ${FOR_ERRORS_ONLY}`);
  }
  const write = writers.pieces(line);
  return {
    contentType: JSON_LINES_TYPE,
    message: (message) => inPieces(framed("", write(message), "\n")),
    error: (json) => `{"${ERROR}":${json}}\n`,
    keepAlive: null,
  };
}

/** Server-sent events (HTML standard): a message's arm is the event's name, its JSON the data. */
export function eventStream(output: DescMessage, writers: JsonWriterCompiler): StreamFormat {
  const { oneof, arms } = eventsOf(output);
  const writersByArm = new Map(
    arms.map(({ field, name, message }) => [
      field.localName,
      { opening: `event: ${name}\ndata: `, write: writers.pieces(message) },
    ]),
  );
  return {
    contentType: "text/event-stream",
    message(message) {
      const { case: arm, value } = message[oneof] as { case?: string; value?: unknown };
      const writer = writersByArm.get(arm ?? "");
      if (writer === undefined) throw new TypeError(`${output.typeName} is no event`);
      return inPieces(framed(writer.opening, writer.write(asMessage(value)), "\n\n"));
    },
    error: (json) => `event: ${ERROR}\ndata: ${json}\n\n`,
    keepAlive: ": nothing new yet\n\n",
  };
}

/** The events that a message can be. Throws where it can be something else. */
export function eventsOf(output: DescMessage) {
  const [oneof] = output.members;
  if (output.members.length !== 1 || oneof?.kind !== "oneof") {
    throw new Error(`${output.typeName}: an event is a oneof and nothing else`);
  }
  const arms = oneof.fields.map((field) => {
    const message = responseTypeOf(field);
    if (typeof message === "string" || field.fieldKind !== "message" || isFlat(field)) {
      throw new Error(`${field}: the data of an event is a message`);
    }
    const name = jsonNameOf(field);
    if (name === ERROR) throw new Error(`${field}: ${FOR_ERRORS_ONLY}`);
    return { field, name, message };
  });
  return { oneof: oneof.localName, arms };
}

/** A message in its pieces, with what stands around it. */
function* framed(before: string, pieces: Iterable<string>, after: string): Generator<string> {
  yield before;
  yield* pieces;
  yield after;
}

/** Milliseconds of silence after which a comment shows proxies that the stream goes on. */
export const KEEP_ALIVE_MS = 15_000;

export interface StreamResponse {
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly format: StreamFormat;
  /** The first message; or the end, if there is none. */
  readonly first: IteratorResult<AnyMessage, unknown>;
  /** The messages after it. Each is asked for when the one before is on its way. */
  readonly messages: AsyncIterator<AnyMessage>;
  /** The error that ends the stream, as JSON on one line. */
  readonly errorBody: (error: unknown) => string;
}

/**
 * Answers a request with a stream. An error behind the first message is the last thing in
 * it. Does nothing when the client is gone, and ends when it leaves. Rejects when a message
 * cannot be written: the response is left as it is, not ended.
 */
export async function sendStream(
  req: NodeRequest,
  res: NodeResponse,
  { headers, format, first, messages, errorBody }: StreamResponse,
): Promise<void> {
  if (isAbandoned(req, res)) return;
  res.statusCode = 200;
  setHeaders(res, headers, format.contentType);
  // Proxies that gather what they hand on are told not to.
  res.setHeader("x-accel-buffering", "no");
  let isWaiting = false;
  const timer = setInterval(() => {
    if (isWaiting && format.keepAlive !== null) res.write(format.keepAlive);
  }, KEEP_ALIVE_MS).unref();
  try {
    for (let next = first; !next.done; ) {
      for (const piece of format.message(next.value)) {
        await writePiece(req, res, Buffer.from(piece));
        if (isAbandoned(req, res)) return;
      }
      isWaiting = true;
      timer.refresh();
      const outcome = await messages.next().then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      isWaiting = false;
      if (isAbandoned(req, res)) return;
      if ("error" in outcome) return void res.end(format.error(errorBody(outcome.error)));
      next = outcome.value;
    }
    res.end();
  } finally {
    clearInterval(timer);
  }
}
