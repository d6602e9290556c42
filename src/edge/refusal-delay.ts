import { type BucketLimits, TokenBuckets } from "../concurrency/token-buckets.ts";

/** Refusals a second that whoever goes on asking gets at once. */
export const PROMPT_REFUSALS_PER_SECOND = 20;
/** How long the others wait, and a millisecond for each that waits already. */
export const REFUSAL_DELAY_MS = 1_000;
/** Of all that are refused; those beyond are told at once. */
export const MAX_DELAYED_REFUSALS = 1_000;
/** Who was refused last; one beyond them starts anew. */
const MAX_REFUSED_OWNERS = 10_000;

const PROMPT: BucketLimits = {
  rate: PROMPT_REFUSALS_PER_SECOND,
  burst: PROMPT_REFUSALS_PER_SECOND,
};

/**
 * Has those wait for their refusal who ask again as soon as they are refused. A refusal
 * costs little; thousands of them a second would take every turn of the process.
 */
export class RefusalDelay {
  readonly #prompt = new TokenBuckets(MAX_REFUSED_OWNERS);
  readonly #monotonicMs: () => number;
  #delayed = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Resolves when the owner, a key or an address, may be told; at once when the signal is aborted. */
  async pass(owner: string, signal: AbortSignal): Promise<void> {
    const atMs = this.#monotonicMs();
    if (this.#prompt.waitSeconds(owner, PROMPT, atMs) === 0) {
      this.#prompt.take(owner, PROMPT, atMs, 1);
      return;
    }
    if (signal.aborted || this.#delayed >= MAX_DELAYED_REFUSALS) return;
    this.#delayed++;
    const { promise: isOver, resolve: end } = Promise.withResolvers<unknown>();
    // A millisecond apart, so that not all of them come back in one turn.
    const timer = setTimeout(end, REFUSAL_DELAY_MS + this.#delayed);
    signal.addEventListener("abort", end);
    await isOver;
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    this.#delayed--;
  }
}
