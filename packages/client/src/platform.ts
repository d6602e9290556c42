/** The clock, randomness and timer of the machine. Tests replace them. */
export interface Platform {
  /** Milliseconds of a clock that only goes forward. */
  monotonicMs(): number;
  /** At least 0 and less than 1. */
  random(): number;
  /** A text that nobody else makes. */
  newKey(): string;
  /** Rejects with the reason of the signal when that aborts before. */
  sleep(durationMs: number, signal: AbortSignal | undefined): Promise<void>;
}

const KEY_BYTES = 16;

/** Node.js and browsers alike. */
export const PLATFORM: Platform = {
  monotonicMs: () => performance.now(),
  random: () => Math.random(),
  newKey() {
    // Not `randomUUID`, which browsers have on secure origins only.
    const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  },
  sleep(durationMs, signal) {
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

/** Milliseconds since 1970. */
export function epochMs(): number {
  return Date.now();
}
