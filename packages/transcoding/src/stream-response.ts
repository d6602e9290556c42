import type { AnyMessage } from "./json/field.ts";
import {
  isAbandoned,
  type NodeRequest,
  type NodeResponse,
  setHeaders,
  writePiece,
} from "./node-http.ts";
import type { StreamFormat } from "./stream-format.ts";

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
      const outcome = await outcomeOf(messages.next());
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

function outcomeOf<T>(work: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  return work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}
