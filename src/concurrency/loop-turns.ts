import { setImmediate as nextTurn } from "node:timers/promises";
import {
  FairSemaphore,
  type FairSemaphoreLimits,
  type Owner,
  type QueueState,
} from "./fair-semaphore.ts";

/** How finely a turn is shared out: what takes less counts as one of so many parts. */
const PARTS_OF_A_TURN = 128;

/** Those who wait for a turn of the event loop, or for a part of one. */
export const LOOP_TURN_LIMITS: FairSemaphoreLimits = {
  concurrent: PARTS_OF_A_TURN,
  concurrentPerOwner: PARTS_OF_A_TURN,
  maxWaiting: 10_000,
  maxWaitingPerOwner: 1_000,
  waitMs: 30_000,
};

/** Work below this share of a turn is done at once: to wait for a turn would take longer. */
const SHARE_WITHOUT_TURN = 1 / 16;

/**
 * Work that would hold the event loop for too long, in one piece or in many at once. A turn of the
 * loop does as much of it as has room there; the owners take turns.
 */
export class LoopTurns {
  readonly #turns = new FairSemaphore(
    LOOP_TURN_LIMITS,
    "too many large requests are being looked through",
  );

  /** The state of the queue, for the operator. */
  get queue(): QueueState {
    return this.#turns.state;
  }

  /**
   * Resolves in a turn of the loop with room for that share of one, which ends with that turn. By
   * default it is a turn of its own. Rejects as `map` does.
   */
  async next(owner: Owner, signal: AbortSignal, share = 1): Promise<void> {
    setImmediate(await this.#take(owner, signal, share));
  }

  /**
   * Resolves with the result of `work` for each item, in order. `shareOf` says which share of a
   * turn an item takes: as many are done in one turn as it has room for, and at least one.
   *
   * Rejects with the signal's reason, before the next turn; `overloaded` where too many wait.
   */
  async map<Item, Result>(
    owner: Owner,
    items: readonly Item[],
    shareOf: (item: Item) => number,
    work: (item: Item) => Result,
    signal: AbortSignal,
  ): Promise<Result[]> {
    signal.throwIfAborted();
    const results: Result[] = [];
    for (const { part, share } of partsOf(items, shareOf)) {
      const isLittle = share < SHARE_WITHOUT_TURN;
      const release = isLittle ? null : await this.#take(owner, signal, share);
      try {
        for (const item of part) results.push(work(item));
        if (release !== null) await giveWay(signal);
      } finally {
        release?.();
      }
    }
    return results;
  }

  #take(owner: Owner, signal: AbortSignal, share: number): Promise<() => void> {
    const parts = Math.ceil(Math.min(share, 1) * PARTS_OF_A_TURN);
    return this.#turns.acquire(owner, signal, Math.max(parts, 1));
  }
}

/** The items in parts, each of which is one item or has room in one turn. */
function* partsOf<Item>(items: readonly Item[], shareOf: (item: Item) => number) {
  let [part, share]: [Item[], number] = [[], 0];
  for (const item of items) {
    const more = shareOf(item);
    if (part.length > 0 && share + more > 1) {
      yield { part, share };
      [part, share] = [[], 0];
    }
    part.push(item);
    share += more;
  }
  if (part.length > 0) yield { part, share };
}

/** Lets other work go on between two pieces of a long one. Rejects with the signal's reason. */
export async function giveWay(signal?: AbortSignal): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}
