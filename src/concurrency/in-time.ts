export class TookTooLong extends Error {
  override readonly name = "TookTooLong";
  readonly code = "ETIMEDOUT";
}

/** What the work resolves with; rejects with `TookTooLong` otherwise. The work is not ended. */
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
