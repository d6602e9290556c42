import { Failure } from "../domain/failure.ts";

const RETRY_AFTER_SECONDS = 1;

export interface SemaphoreLimits {
  /** How many may hold a permit at the same time. */
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

/**
 * A semaphore with a bounded queue: it gives out a limited number of permits, first
 * come first served, and refuses rather than let callers pile up.
 */
export class Semaphore {
  readonly #limits: SemaphoreLimits;
  readonly #refusal: string;
  readonly #waiting = new Set<Waiting>();
  readonly #ended = Promise.withResolvers<void>();
  #held = 0;
  #isClosed = false;

  /** `refusal` is what a caller is told who gets no permit. */
  constructor(limits: SemaphoreLimits, refusal: string) {
    this.#limits = limits;
    this.#refusal = refusal;
  }

  /**
   * Resolves with the function that releases the permit; a second call of that does
   * nothing. Rejects with a Failure `overloaded` when too many wait, when the wait
   * was too long, or when closed; with the signal's reason when that is aborted,
   * which gives up the place in the queue at once.
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw this.#overloaded();
    if (this.#held < this.#limits.concurrent) this.#held++;
    else if (this.#waiting.size < this.#limits.maxWaiting) await this.#wait(signal);
    else throw this.#overloaded();
    return this.#releaseOnce();
  }

  /** Does `work` with a permit, which is released however that ends. Rejects as `acquire` and `work` do. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Refuses all who wait or come later; resolves when every permit was released. */
  close(): Promise<void> {
    this.#isClosed = true;
    for (const { leave } of this.#waiting) leave(this.#overloaded());
    if (this.#held === 0) this.#ended.resolve();
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

  /** The permit goes to the first in the queue, so that nobody who comes now overtakes it. */
  #releaseOnce(): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const [next] = this.#waiting;
      if (next !== undefined) {
        next.start();
        return;
      }
      this.#held--;
      if (this.#isClosed && this.#held === 0) this.#ended.resolve();
    };
  }

  #overloaded(): Failure {
    return new Failure("overloaded", this.#refusal, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
