/** Ends work that takes too long; over with the block that holds it. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Its signal is aborted after so many milliseconds, with a reason that is made then. Unlike
 * that of `AbortSignal.timeout`, the timer goes with the work, and what it holds with it.
 */
export function startDeadline(ms: number, reason?: () => unknown): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(reason?.()), ms);
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
