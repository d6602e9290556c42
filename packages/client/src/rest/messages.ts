import { jsonNameOf } from "@agent-memory/transcoding/json";
import type { Route } from "@agent-memory/transcoding/route";
import type { DescMessage, JsonObject, JsonValue, Message, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { streamErrorOf } from "./error.ts";
import { fromRestJson, toRestJson } from "./json.ts";

/** The name of the error that ends a stream, in the place of a message. */
const ERROR = "error";

/**
 * The messages of a stream, as they come: of events, or of lines of JSON. Events that this client
 * does not know yet are passed over. Throws a ConnectError where the stream ends with an error, or
 * was cut: a proxy may end what it sends by closing the connection.
 */
export async function* messagesOf<Output extends DescMessage>(
  { format, responseBody }: Route,
  output: Output,
  { body, headers }: Response,
): AsyncGenerator<MessageShape<Output>> {
  const text = (body ?? new Blob([]).stream()).pipeThrough(new TextDecoderStream());
  if (format === "event_stream") {
    const known = output.fields.map(jsonNameOf);
    let isWhole = false;
    const events = text.pipeThrough(new EventSourceParserStream());
    for await (const { event, data } of readAll(events)) {
      if (event === ERROR) throw streamErrorOf(JSON.parse(data), headers);
      if (event === undefined || !known.includes(event)) continue;
      isWhole ||= event === known.at(-1);
      yield fromRestJson(output, { [event]: JSON.parse(data) });
    }
    if (!isWhole) throw cutOff();
    return;
  }
  let rest = "";
  for await (const piece of readAll(text)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const json: JsonValue = JSON.parse(line);
      const { [ERROR]: error = null } = Object(json) as JsonObject;
      if (error !== null) throw streamErrorOf(error, headers);
      const message = responseBody === null ? json : { [responseBody]: json };
      yield fromRestJson(output, message as JsonObject);
    }
  }
  if (rest !== "") throw cutOff();
}

function cutOff(): ConnectError {
  return new ConnectError("the connection to the service broke", Code.Unavailable);
}

/** Not every browser iterates over a stream by itself. */
async function* readAll<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

export const JSON_LINES_TYPE = "application/x-ndjson";

/** Messages as lines of JSON, each made when there is room for it. */
export function linesBody(
  desc: DescMessage,
  messages: AsyncIterable<Message>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const rest = messages[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await rest.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(toRestJson(desc, next.value))}\n`));
    },
    async cancel() {
      await rest.return?.();
    },
  });
}
