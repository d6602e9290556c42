import {
  isAbandoned,
  type NodeHandler,
  type NodeRequest,
} from "@agent-memory/transcoding/node-http";
import {
  FairSemaphore,
  type FairSemaphoreLimits,
  type QueueState,
} from "../concurrency/fair-semaphore.ts";
import { Failure } from "../domain/failure.ts";
import { refuse } from "./refuse.ts";

/**
 * Requests begun in one turn of the event loop, and those that wait for a later one. As each
 * turn accepts one new connection, those behind it wait for what a turn does.
 */
export const REQUEST_TURN_LIMITS: FairSemaphoreLimits = {
  concurrent: 16,
  concurrentPerOwner: 4,
  maxWaiting: 20_000,
  maxWaitingPerOwner: 5_000,
  waitMs: 30_000,
};

/**
 * Serves as `handler` does, a few requests in each turn of the event loop, and addresses
 * in turn: however many of one address arrive at once, that of another is begun in this
 * turn or the next, and the loop turns soon. Who has gone when it is their turn costs nothing.
 */
export function beginInTurns(
  handler: NodeHandler,
  addressOf: (request: NodeRequest) => string,
  watchQueue: (state: () => QueueState) => void = () => {},
): NodeHandler {
  const turns = new FairSemaphore(REQUEST_TURN_LIMITS, "too many requests arrive at once");
  watchQueue(() => turns.state);
  return async (request, response) => {
    let release: () => void;
    try {
      release = await turns.acquire(addressOf(request));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return refuse(response, error);
    }
    if (isAbandoned(request, response)) return release();
    setImmediate(release);
    await handler(request, response);
  };
}
