import { Failure } from "../domain/failure.ts";

const RETRY_AFTER_SECONDS = 1;

export interface TurnLimits {
  /** How many may have a turn at the same time. */
  readonly concurrent: number;
  /** How many may wait for one; further ones are refused at once. */
  readonly maxWaiting: number;
  /** How long each waits at most. */
  readonly waitMs: number;
}

interface Waiting {
  start(): void;
  leave(reason: unknown): void;
}

/** Gives out a limited number of turns, first come first served, and refuses rather than pile up. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #refusal: string;
  readonly #waiting = new Set<Waiting>();
  readonly #ended = Promise.withResolvers<void>();
  #taken = 0;
  #isClosed = false;

  /** `refusal` is what a caller is told who gets no turn. */
  constructor(limits: TurnLimits, refusal: string) {
    this.#limits = limits;
    this.#refusal = refusal;
  }

  /**
   * Resolves with the function that gives the turn back. Rejects with a Failure
   * `overloaded` when too many wait, when the wait was too long, or when closed;
   * with the signal's reason when that is aborted, which gives up the place in the
   * queue at once.
   */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw this.#overloaded();
    if (this.#taken < this.#limits.concurrent) this.#taken++;
    else if (this.#waiting.size < this.#limits.maxWaiting) await this.#wait(signal);
    else throw this.#overloaded();
    return this.#giveBackOnce();
  }

  /** Does `work` in a turn, which it gives back however that ends. Rejects as `take` and `work` do. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const giveBack = await this.take(signal);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  /** Refuses all who wait or come later; resolves when every turn was given back. */
  close(): Promise<void> {
    this.#isClosed = true;
    for (const { leave } of this.#waiting) leave(this.#overloaded());
    if (this.#taken === 0) this.#ended.resolve();
    return this.#ended.promise;
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leaveQueue = () => {
        this.#waiting.delete(waiting);
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const waiting: Waiting = {
        start() {
          leaveQueue();
          resolve();
        },
        leave(reason) {
          leaveQueue();
          reject(reason);
        },
      };
      const onAbort = () => waiting.leave(signal?.reason);
      const timer = setTimeout(() => waiting.leave(this.#overloaded()), this.#limits.waitMs);
      signal?.addEventListener("abort", onAbort);
      this.#waiting.add(waiting);
    });
  }

  /** The turn goes to the first in the queue, so that nobody who comes now overtakes it. */
  #giveBackOnce(): () => void {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const [next] = this.#waiting;
      if (next !== undefined) {
        next.start();
        return;
      }
      this.#taken--;
      if (this.#isClosed && this.#taken === 0) this.#ended.resolve();
    };
  }

  #overloaded(): Failure {
    return new Failure("overloaded", this.#refusal, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
