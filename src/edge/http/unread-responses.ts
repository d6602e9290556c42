import {
  breakOff,
  type NodeRequest,
  type NodeResponse,
  pathOf,
} from "@agent-memory/transcoding/node-http";
import type { Log } from "../../log.ts";

/** How often within the limit a response is looked at. */
const CHECKS = 10;
/** How long responses that were not read are counted, of each address, for one line of the log. */
export const UNREAD_LOG_INTERVAL_MS = 10_000;

export interface UnreadOptions {
  readonly unreadMs: number;
  readonly log: Log;
  /** Default: UNREAD_LOG_INTERVAL_MS. */
  readonly logIntervalMs?: number;
}

/** Watches the response to a request from an address. */
export type WatchUnread = (request: NodeRequest, response: NodeResponse, address: string) => void;

/**
 * Breaks each response off that its reader takes nothing of for `unreadMs`, up to a tenth
 * more. Until then it is held in memory, and idle connections may stay open for much longer.
 * Time in which there is nothing to send does not count.
 */
export function createUnreadWatch(options: UnreadOptions): WatchUnread {
  const { unreadMs } = options;
  const tell = unreadLog(options);
  return (request, response, address) => {
    let checksWithoutProgress = 0;
    const timer = setInterval(() => {
      if (!isWaitingForReader(response)) checksWithoutProgress = 0;
      else if (++checksWithoutProgress > CHECKS) {
        clearInterval(timer);
        tell(address, request);
        breakOff(response);
      }
    }, unreadMs / CHECKS).unref();
    // What is written in pieces waits for this after each of them.
    response.on("drain", () => {
      checksWithoutProgress = 0;
    });
    response.once("close", () => clearInterval(timer));
  };
}

/** Who opens very many responses only not to read them does not fill the log as well. */
function unreadLog({ log, logIntervalMs = UNREAD_LOG_INTERVAL_MS }: UnreadOptions) {
  const unread = new Map<string, { responses: number; readonly path: string | null }>();

  function write(): void {
    for (const [address, fields] of unread) {
      log.warn({ address, ...fields }, "responses were not read, and were cut off");
    }
    unread.clear();
  }

  return (address: string, request: NodeRequest): void => {
    if (unread.size === 0) setTimeout(write, logIntervalMs).unref();
    const known = unread.get(address);
    if (known === undefined) unread.set(address, { responses: 1, path: pathOf(request) });
    else known.responses++;
  };
}

/** Whether there is something to send, and nobody takes it. */
function isWaitingForReader(response: NodeResponse): boolean {
  const sent = "stream" in response ? response.stream : response;
  if (!sent.writableNeedDrain && !(sent.writableEnded && !sent.writableFinished)) return false;
  // Without a socket it waits for the responses before it on the same connection.
  return "stream" in response || response.socket !== null;
}
