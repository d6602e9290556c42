/** A map that forgets, beyond `maxEntries`, the entry that was set longest ago. */
export class LruMap<Key, Value> extends Map<Key, Value> {
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    super();
    this.#maxEntries = maxEntries;
  }

  /** Sets the entry and makes it the last one to be forgotten. */
  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const [oldest = key] = this.keys();
    if (this.size > this.#maxEntries) this.delete(oldest);
    return this;
  }
}

/** Its signal is aborted after `ms`. Once disposed it holds no timer, as the platform's would. */
export function startDeadline(ms: number, reason?: () => unknown) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(reason?.()), ms);
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}

export class TookTooLong extends Error {
  override readonly name = "TookTooLong";
  readonly code = "ETIMEDOUT";
}

/** The result of the work; rejects with `TookTooLong` otherwise. The work is not ended. */
export async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const refuse = () => reject(new TookTooLong(`no answer in ${timeoutMs} ms`));
  // An answer that has arrived is read first: this process may have been busy.
  const timer = setTimeout(() => setImmediate(refuse), timeoutMs);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Repeats `work`, which must not reject, until the returned function has stopped it. */
export function runEvery(ms: number, work: (signal: AbortSignal) => Promise<void>) {
  const stop = new AbortController();
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= work(stop.signal).finally(() => {
      running = null;
    });
  }, ms).unref();
  return async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  };
}

/**
 * Resolves with the result of `work` for each item, in order; at most `maxAtOnce` are in work at
 * once.
 *
 * Rejects with the first failure or the signal's reason, once no `work` goes on any more.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  maxAtOnce: number,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result[]> {
  const failed = new AbortController();
  const bounded = AbortSignal.any([signal, failed.signal]);
  const results: Result[] = [];
  const queue = items.entries();
  async function takeFromQueue(): Promise<void> {
    for (const [index, item] of queue) {
      bounded.throwIfAborted();
      results[index] = await work(item, bounded);
    }
  }
  const workers = Array.from({ length: Math.min(maxAtOnce, items.length) }, takeFromQueue);
  try {
    await Promise.all(workers);
    return results;
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(workers);
    throw error;
  }
}
