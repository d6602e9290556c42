/** The clock, randomness and timer of the machine. Tests replace them. */
export type Platform = typeof PLATFORM;

const KEY_BYTES = 16;

/** Node.js and browsers alike. */
export const PLATFORM = {
  /** Milliseconds of a clock that only goes forward. */
  monotonicMs: () => performance.now(),
  /** At least 0 and less than 1. */
  random: () => Math.random(),
  /** A text that nobody else makes. */
  newKey() {
    // Not `randomUUID`, which browsers have on secure origins only.
    const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  },
  /** Rejects with the reason of the signal when that aborts before. */
  sleep(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, durationMs);
      if (signal?.aborted) stop();
      else signal?.addEventListener("abort", stop, { once: true });
    });
  },
};

/** A longer time timers take for none. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Milliseconds since 1970. */
export function epochMs(): number {
  return Date.now();
}
