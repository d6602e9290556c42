/**
 * A piece of work that several may wait for. It goes on as long as somebody does: who
 * leaves takes nothing from the others, and the last one to leave ends it.
 */
export class SharedCall<Answer> {
  /** As the work ends; nobody has to wait for it. */
  readonly ended: Promise<Answer>;
  readonly #over = new AbortController();
  #waiting = 0;
  #hasEnded = false;

  /** Begins it. `signal` is aborted when nobody waits any more. */
  constructor(begin: (signal: AbortSignal) => Promise<Answer>) {
    const ended = async () => {
      try {
        return await begin(this.#over.signal);
      } finally {
        this.#hasEnded = true;
      }
    };
    this.ended = ended();
    this.ended.catch(() => {});
  }

  /** Whether one may still join. */
  get isOpen(): boolean {
    return !this.#over.signal.aborted;
  }

  /** Its answer, or its error, or the reason of the signal where that is aborted first. */
  async answerFor(signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const left = Promise.withResolvers<never>();
    const onAbort = () => left.reject(signal.reason);
    signal.addEventListener("abort", onAbort);
    this.#waiting++;
    try {
      return await Promise.race([this.ended, left.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#waiting--;
      if (this.#waiting === 0 && !this.#hasEnded) this.#over.abort(signal.reason);
    }
  }
}
