/**
 * What `work` makes of each item, in the order of the items; at most `maxAtOnce`
 * pieces of work go on at the same time.
 *
 * Rejects with the first failure, or with the signal's reason. The signal that
 * `work` is given is then aborted, and nothing of it goes on any more.
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
