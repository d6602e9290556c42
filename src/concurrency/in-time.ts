/** What the work resolves with; rejects when that takes longer. The work is not ended. */
export async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const refuse = () => reject(Object.assign(new Error("No answer in time"), { code: "ETIMEDOUT" }));
  // An answer that has arrived is read first: this process may have been busy.
  const timer = setTimeout(() => setImmediate(refuse), timeoutMs);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
