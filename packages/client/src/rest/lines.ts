import type { DescMessage, Message } from "@bufbuild/protobuf";
import { toRestJson } from "./json.ts";

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
