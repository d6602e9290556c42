import { Failure } from "../domain/failure.ts";

const RETRY_AFTER_SECONDS = 1;

export interface FairSemaphoreLimits {
  /** How many permits may be held at the same time; one piece of work holds one, or several. */
  readonly concurrent: number;
  /** How many of them by one owner. */
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

/** Releases permits, all but those still needed: by default none. A second call finds the others. */
export type Release = (needed?: number) => void;

interface Waiting {
  readonly permits: number;
  start(): void;
  leave(reason: unknown): void;
}

/** The permits that an owner holds and waits for. It is forgotten when there are none. */
interface Share {
  held: number;
  /** First come, first served. */
  readonly waiting: Set<Waiting>;
}

/**
 * A semaphore with a bounded queue for each owner. Owners take turns: each waits for one piece of
 * work of each other at most, and none takes all the room. Who needs many permits is not overtaken
 * in their turn.
 */
export class FairSemaphore {
  readonly #limits: FairSemaphoreLimits;
  /** Made once, since its stack costs more than all else about a refusal. */
  readonly #refusal: Failure;
  /** In the order of their turns: who got or gave back a permit last is last. */
  readonly #shares = new Map<Owner, Share>();
  readonly #ended = Promise.withResolvers<void>();
  #held = 0;
  #waiting = 0;
  /** Somebody waits for room alone, and not for what its owner holds. */
  #isBlocked = false;
  #refused = 0;
  #isClosed = false;

  /** A caller that gets no permit gets this refusal, by default with the reason `overloaded`. */
  constructor(
    limits: FairSemaphoreLimits,
    refusal: string,
    reason: "overloaded" | "too_many_in_flight" = "overloaded",
  ) {
    this.#limits = limits;
    this.#refusal = new Failure(reason, refusal, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** Of what all accounts may have at once, what one may: three quarters, and one at least. */
  static shareOfAccount(all: number): number {
    return Math.max(1, Math.floor((all * 3) / 4));
  }

  /** A semaphore for which nobody waits: each owner may hold `most` permits. */
  static counting(most: number, refusal: string): FairSemaphore {
    const limits = { concurrent: Number.POSITIVE_INFINITY, concurrentPerOwner: most };
    return new FairSemaphore(
      { ...limits, maxWaiting: 0, maxWaitingPerOwner: 0, waitMs: 0 },
      refusal,
      "too_many_in_flight",
    );
  }

  /**
   * Resolves with the function that releases the permits; who asks for more than there are gets
   * all. Rejects with the refusal when too many wait, or one too long, or it is closed; with the
   * signal's reason when that is aborted.
   */
  async acquire(owner: Owner, signal?: AbortSignal, permits = 1): Promise<Release> {
    signal?.throwIfAborted();
    return this.#tryAcquire(owner, permits) ?? this.#wait(owner, permits, signal);
  }

  /** As `acquire`, without a wait. Throws the refusal where the owner would have to wait. */
  acquireNow(owner: Owner, permits = 1): Release {
    const release = this.#tryAcquire(owner, permits);
    if (release === null) throw this.#refuse();
    return release;
  }

  /** null: the owner must wait, or the semaphore is closed. */
  #tryAcquire(owner: Owner, wanted: number): Release | null {
    if (this.#isClosed) return null;
    const share = this.#shareOf(owner);
    const permits = Math.min(wanted, this.#limits.concurrentPerOwner);
    // Those who wait are at the limit of their own, unless one is blocked for lack of room.
    const isFirst = !this.#isBlocked && share.waiting.size === 0;
    if (isFirst && this.#isWithinShare(share, permits) && this.#hasRoom(permits)) {
      return this.#take(owner, share, permits);
    }
    this.#forgetIdle(owner, share);
    return null;
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

  #isWithinShare({ held }: Share, permits: number): boolean {
    return held + permits <= this.#limits.concurrentPerOwner;
  }

  #hasRoom(permits: number): boolean {
    return this.#held + permits <= this.#limits.concurrent;
  }

  /** Returns what releases them, to those in the queue first: nobody who comes now overtakes. */
  #take(owner: Owner, share: Share, permits: number): Release {
    let held = permits;
    this.#hold(owner, share, permits);
    return (needed = 0) => {
      if (held <= needed) return;
      this.#hold(owner, share, needed - held);
      held = needed;
      this.#startNext();
      this.#forgetIdle(owner, share);
      if (this.#isClosed && this.#held === 0) this.#ended.resolve();
    };
  }

  #hold(owner: Owner, share: Share, permits: number): void {
    this.#held += permits;
    share.held += permits;
    // The last one.
    this.#shares.delete(owner);
    this.#shares.set(owner, share);
  }

  #wait(owner: Owner, wanted: number, signal?: AbortSignal): Promise<Release> {
    if (this.#isClosed) throw this.#refuse();
    const share = this.#shareOf(owner);
    const { maxWaiting, maxWaitingPerOwner, waitMs, concurrentPerOwner } = this.#limits;
    const permits = Math.min(wanted, concurrentPerOwner);
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
        permits,
        start: () => {
          leaveQueue();
          resolve(this.#take(owner, share, permits));
        },
        leave: (reason) => {
          leaveQueue();
          this.#forgetIdle(owner, share);
          reject(reason);
          // Others may have waited behind it who need less.
          if (this.#isBlocked && !this.#isClosed) this.#startNext();
        },
      };
      const onAbort = () => waiting.leave(signal?.reason);
      const timer = setTimeout(() => waiting.leave(this.#refuse()), waitMs);
      signal?.addEventListener("abort", onAbort);
      this.#waiting++;
      share.waiting.add(waiting);
      if (this.#isWithinShare(share, permits)) this.#isBlocked = true;
    });
  }

  #startNext(): void {
    this.#isBlocked = false;
    // An owner that starts is put last, and comes round again.
    for (const share of this.#shares.values()) {
      if (!this.#hasRoom(1)) return;
      const [next] = share.waiting;
      if (next === undefined || !this.#isWithinShare(share, next.permits)) continue;
      if (!this.#hasRoom(next.permits)) {
        this.#isBlocked = true;
        return;
      }
      next.start();
    }
  }

  #forgetIdle(owner: Owner, share: Share): void {
    if (share.held === 0 && share.waiting.size === 0) this.#shares.delete(owner);
  }

  #refuse(): Failure {
    this.#refused++;
    return this.#refusal;
  }
}
