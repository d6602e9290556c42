import { Failure } from "../../domain/failure.ts";

const RETRY_AFTER_SECONDS = 1;

/** How many pieces of work run at once, and how many may wait to. */
export interface CapacityLimits {
  readonly maxInFlight: number;
  readonly maxQueued: number;
}

/** Runs a bounded number of calls at once, first come first served. */
export interface Capacity {
  /**
   * Runs `work` when it is its turn. Throws `overloaded` when too many wait
   * already, and the signal's reason when it is aborted while waiting, which
   * gives up the place at once.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createCapacity({ maxInFlight, maxQueued }: CapacityLimits): Capacity {
  const waiting = new Set<() => void>();
  let inFlight = 0;

  async function takeTurn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (inFlight < maxInFlight) {
      inFlight++;
      return;
    }
    if (waiting.size >= maxQueued) throw overloaded();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      waiting.delete(resolve);
      reject(signal.reason);
    };
    waiting.add(resolve);
    signal.addEventListener("abort", leave);
    await promise.finally(() => signal.removeEventListener("abort", leave));
  }

  /** The turn goes to the first in the queue, so that nobody who comes now overtakes it. */
  function endTurn(): void {
    const [next] = waiting;
    if (next === undefined) {
      inFlight--;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    async run(work, signal) {
      await takeTurn(signal);
      try {
        return await work();
      } finally {
        endTurn();
      }
    },
  };
}

/** Too many calls of models at once: the caller should come back soon. */
export function overloaded(): Failure {
  return new Failure("overloaded", "too many calls of the model are in progress", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
