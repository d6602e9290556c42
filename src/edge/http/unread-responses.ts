import type { Log } from "../../log.ts";
import { breakOff, type NodeHandler, type NodeResponse } from "../rest/node-http.ts";

/** How often within the limit a response is looked at. */
const CHECKS = 10;

/**
 * Serves as `handler` does, and breaks a response off once its reader has taken nothing
 * of it for `unreadMs`, up to a tenth more. Until then it is held in memory, and
 * connections that are idle may stay open for much longer. Time in which the handler has
 * nothing to send does not count.
 */
export function cutOffUnread(
  handler: NodeHandler,
  { unreadMs, log }: { readonly unreadMs: number; readonly log: Log },
): NodeHandler {
  return (request, response) => {
    let checksWithoutProgress = 0;
    const timer = setInterval(() => {
      if (!isWaitingForReader(response)) checksWithoutProgress = 0;
      else if (++checksWithoutProgress > CHECKS) {
        log.warn({ method: request.method, path: request.url }, "a response was not read");
        breakOff(response);
      }
    }, unreadMs / CHECKS).unref();
    // What is written in pieces waits for this after each of them.
    response.on("drain", () => {
      checksWithoutProgress = 0;
    });
    response.once("close", () => clearInterval(timer));
    return handler(request, response);
  };
}

/** Whether there is something to send, and nobody takes it. */
function isWaitingForReader(response: NodeResponse): boolean {
  const sent = "stream" in response ? response.stream : response;
  if (!sent.writableNeedDrain && !(sent.writableEnded && !sent.writableFinished)) return false;
  // Without a socket it waits for the responses before it on the same connection.
  return "stream" in response || response.socket !== null;
}
