import { Failure } from "../domain/failure.ts";

const RETRY_AFTER_SECONDS = 1;

/** How many requests each owner (an account's ID, an address) has in progress in this process (D37). */
export class RequestsInFlight {
  readonly #counts = new Map<string, number>();
  readonly #max: number;
  /** Made once, since its stack costs more than all else about a refusal. */
  readonly #refusal: Failure;

  /** Each owner may have `max`; `refusal` is what one is told who has as many. */
  constructor(max: number, refusal: string) {
    this.#max = max;
    this.#refusal = new Failure("too_many_in_flight", refusal, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  /**
   * Counts a request until its response has `ended`. Throws `too_many_in_flight` when its
   * owner has as many as it may.
   */
  admit(owner: string, ended: Promise<void>): void {
    const count = this.#counts.get(owner) ?? 0;
    if (count >= this.#max) throw this.#refusal;
    this.#counts.set(owner, count + 1);
    void ended.then(() => this.#end(owner));
  }

  #end(owner: string): void {
    const left = (this.#counts.get(owner) ?? 0) - 1;
    if (left > 0) this.#counts.set(owner, left);
    else this.#counts.delete(owner);
  }
}
