import { Failure } from "../domain/failure.ts";

const RETRY_AFTER_SECONDS = 1;

export interface FairSemaphoreLimits {
  /** How many may hold a permit at the same time. */
  readonly concurrent: number;
  /** How many of one owner may, while they are fewer than `concurrent`. */
  readonly concurrentPerOwner: number;
  /** How many may wait for one; further ones are refused at once. */
  readonly maxWaiting: number;
  /** How many of one owner may wait. */
  readonly maxWaitingPerOwner: number;
  /** How long each waits at most. */
  readonly waitMs: number;
}

/** How a queue stands, for the operator. */
export interface QueueState {
  /** How many may be in use at the same time. */
  readonly capacity: number;
  readonly inUse: number;
  readonly waiting: number;
  /** Ever: because too many waited, or for too long. */
  readonly refused: number;
}

/** For whom a permit is: an account's ID; null: for the service itself. */
export type Owner = string | null;

interface Waiting {
  start(): void;
  leave(reason: unknown): void;
}

/** What an owner holds and waits for; forgotten when that is nothing. */
interface Share {
  held: number;
  /** First come, first served. */
  readonly waiting: Set<Waiting>;
}

/**
 * A semaphore with a bounded queue for each owner. Permits go round: each owner who waits
 * gets one in turn, however many others of an owner wait. So nobody waits for more than
 * one piece of work of each other owner, and nobody takes all the room in the queue.
 */
export class FairSemaphore {
  readonly #limits: FairSemaphoreLimits;
  readonly #refusal: string;
  /** In the order of their turns: who got or gave back a permit last is last. */
  readonly #shares = new Map<Owner, Share>();
  readonly #ended = Promise.withResolvers<void>();
  #held = 0;
  #waiting = 0;
  #refused = 0;
  #isClosed = false;

  /** `refusal` is what a caller is told who gets no permit. */
  constructor(limits: FairSemaphoreLimits, refusal: string) {
    this.#limits = limits;
    this.#refusal = refusal;
  }

  /**
   * Resolves with the function that releases the permit; a second call of that does
   * nothing. Rejects with a Failure `overloaded` when too many wait, when the wait
   * was too long, or when closed; with the signal's reason when that is aborted,
   * which gives up the place in the queue at once.
   */
  async acquire(owner: Owner, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw this.#refuse();
    const share = this.#shareOf(owner);
    // Who may start waits for nobody: those that wait are at the limit of their own.
    if (this.#mayStart(share) && share.waiting.size === 0) this.#take(owner, share);
    else await this.#wait(owner, share, signal);
    return this.#releaseOnce(owner, share);
  }

  /** Does `work` with a permit, which is released however that ends. Rejects as `acquire` and `work` do. */
  async run<T>(owner: Owner, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(owner, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  get state(): QueueState {
    return {
      capacity: this.#limits.concurrent,
      inUse: this.#held,
      waiting: this.#waiting,
      refused: this.#refused,
    };
  }

  /** How many permits an owner has. */
  heldBy(owner: Owner): number {
    return this.#shares.get(owner)?.held ?? 0;
  }

  /** Refuses all who wait or come later; resolves when every permit was released. */
  close(): Promise<void> {
    this.#isClosed = true;
    for (const { waiting } of [...this.#shares.values()]) {
      for (const { leave } of waiting) leave(this.#refuse());
    }
    if (this.#held === 0) this.#ended.resolve();
    return this.#ended.promise;
  }

  #shareOf(owner: Owner): Share {
    const known = this.#shares.get(owner);
    if (known !== undefined) return known;
    const share: Share = { held: 0, waiting: new Set() };
    this.#shares.set(owner, share);
    return share;
  }

  #mayStart({ held }: Share): boolean {
    return this.#held < this.#limits.concurrent && held < this.#limits.concurrentPerOwner;
  }

  #take(owner: Owner, share: Share): void {
    this.#held++;
    share.held++;
    this.#putLast(owner, share);
  }

  #putLast(owner: Owner, share: Share): void {
    this.#shares.delete(owner);
    this.#shares.set(owner, share);
  }

  #wait(owner: Owner, share: Share, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, maxWaitingPerOwner, waitMs } = this.#limits;
    if (this.#waiting >= maxWaiting || share.waiting.size >= maxWaitingPerOwner) {
      this.#forgetIdle(owner, share);
      throw this.#refuse();
    }
    return new Promise((resolve, reject) => {
      const leaveQueue = () => {
        this.#waiting--;
        share.waiting.delete(waiting);
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const waiting: Waiting = {
        start: () => {
          leaveQueue();
          this.#take(owner, share);
          resolve();
        },
        leave: (reason) => {
          leaveQueue();
          this.#forgetIdle(owner, share);
          reject(reason);
        },
      };
      const onAbort = () => waiting.leave(signal?.reason);
      const timer = setTimeout(() => waiting.leave(this.#refuse()), waitMs);
      signal?.addEventListener("abort", onAbort);
      this.#waiting++;
      share.waiting.add(waiting);
    });
  }

  /** Permits go to those in the queue first, so that nobody who comes now overtakes them. */
  #releaseOnce(owner: Owner, share: Share): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#held--;
      share.held--;
      this.#putLast(owner, share);
      this.#startNext();
      this.#forgetIdle(owner, share);
      if (this.#isClosed && this.#held === 0) this.#ended.resolve();
    };
  }

  #startNext(): void {
    for (const share of this.#shares.values()) {
      const [next] = share.waiting;
      if (next === undefined || !this.#mayStart(share)) continue;
      next.start();
      return;
    }
  }

  #forgetIdle(owner: Owner, share: Share): void {
    if (share.held === 0 && share.waiting.size === 0) this.#shares.delete(owner);
  }

  #refuse(): Failure {
    this.#refused++;
    return new Failure("overloaded", this.#refusal, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
