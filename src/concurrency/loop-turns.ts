import {
  FairSemaphore,
  type FairSemaphoreLimits,
  type Owner,
  type QueueState,
} from "./fair-semaphore.ts";
import { giveWay } from "./give-way.ts";

/** Those who wait for a turn of the event loop. */
export const LOOP_TURN_LIMITS: FairSemaphoreLimits = {
  concurrent: 1,
  concurrentPerOwner: 1,
  maxWaiting: 10_000,
  maxWaitingPerOwner: 1_000,
  waitMs: 30_000,
};

/** Work below this share of a turn is done at once: to wait for a turn would take longer. */
const SHARE_WITHOUT_TURN = 1 / 16;

/**
 * Turns of the event loop for work that would hold it too long in one piece: one turn of
 * the loop does at most one part of all such work, and its owners take turns.
 */
export class LoopTurns {
  readonly #turns = new FairSemaphore(
    LOOP_TURN_LIMITS,
    "too many large requests are being looked through",
  );

  /** Of those who wait for a turn, for the operator. */
  get queue(): QueueState {
    return this.#turns.state;
  }

  /**
   * Resolves in a turn of the loop of its own, which is over when the loop turns next.
   * Rejects as `map` does.
   */
  async next(owner: Owner, signal: AbortSignal): Promise<void> {
    const release = await this.#turns.acquire(owner, signal);
    setImmediate(release);
  }

  /**
   * What `work` makes of each item, in order. `shareOf` says which share of a turn an
   * item takes: as many are done in one turn as it has room for, and at least one.
   *
   * Rejects with the signal's reason, before the next turn; `overloaded` where too many
   * wait.
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
      const done =
        share < SHARE_WITHOUT_TURN
          ? part.map(work)
          : await this.#turns.run(
              owner,
              async () => {
                const made = part.map(work);
                await giveWay(signal);
                return made;
              },
              signal,
            );
      for (const result of done) results.push(result);
    }
    return results;
  }
}

interface Part<Item> {
  readonly part: readonly Item[];
  readonly share: number;
}

function partsOf<Item>(items: readonly Item[], shareOf: (item: Item) => number): Part<Item>[] {
  const parts: Part<Item>[] = [];
  let part: Item[] = [];
  let share = 0;
  for (const item of items) {
    const more = shareOf(item);
    if (part.length > 0 && share + more > 1) {
      parts.push({ part, share });
      part = [];
      share = 0;
    }
    part.push(item);
    share += more;
  }
  if (part.length > 0) parts.push({ part, share });
  return parts;
}
