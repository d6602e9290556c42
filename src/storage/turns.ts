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
  refuse(): void;
}

/** Gives out a limited number of turns, first come first served, and refuses rather than pile up. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #waiting = new Set<Waiting>();
  readonly #ended = Promise.withResolvers<void>();
  #taken = 0;
  #isClosed = false;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Resolves with the function that gives the turn back. Rejects with a Failure
   * `overloaded` when too many wait, when the wait was too long, or when closed.
   */
  take(): Promise<() => void> {
    if (this.#isClosed) return Promise.reject(overloaded());
    if (this.#taken < this.#limits.concurrent) {
      this.#taken++;
      return Promise.resolve(this.#giveBackOnce());
    }
    if (this.#waiting.size >= this.#limits.maxWaiting) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const refuse = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        reject(overloaded());
      };
      const start = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        resolve(this.#giveBackOnce());
      };
      const waiting: Waiting = { start, refuse };
      const timer = setTimeout(refuse, this.#limits.waitMs);
      this.#waiting.add(waiting);
    });
  }

  /** Refuses all who wait or come later; resolves when every turn was given back. */
  close(): Promise<void> {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting) refuse();
    if (this.#taken === 0) this.#ended.resolve();
    return this.#ended.promise;
  }

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
}

function overloaded(): Failure {
  return new Failure("overloaded", "the service has too many requests to handle; try again", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
