/**
 * Settles as `answer` does, or rejects with an Error when that took longer than
 * `ms` milliseconds. Whatever the answer comes from goes on.
 */
export async function withinTimeLimit<T>(answer: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`did not answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
