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

/** Gives out a limited number of turns, first come first served, and refuses rather than pile up. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Resolves with the function that gives the turn back. Rejects with a Failure
   * `overloaded` when too many wait, or when the wait was too long.
   */
  take(): Promise<() => void> {
    if (this.#taken < this.#limits.concurrent) {
      this.#taken++;
      return Promise.resolve(this.#giveBackOnce());
    }
    if (this.#waiting.size >= this.#limits.maxWaiting) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(start);
        reject(overloaded());
      }, this.#limits.waitMs);
      const start = () => {
        clearTimeout(timer);
        resolve(this.#giveBackOnce());
      };
      this.#waiting.add(start);
    });
  }

  #giveBackOnce(): () => void {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const [next] = this.#waiting;
      if (next === undefined) {
        this.#taken--;
        return;
      }
      this.#waiting.delete(next);
      next();
    };
  }
}

function overloaded(): Failure {
  return new Failure("overloaded", "The service has too many requests to handle; send it again.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
