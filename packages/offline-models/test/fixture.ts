/** A call that nobody ends. */
export const CALL = { signal: new AbortController().signal };

/** The most that the service hands over. */
export const MAX_CONTENT_BYTES = 32 * 1024;
export const MAX_MESSAGES = 500;
export const MAX_QUESTION_BYTES = 8 * 1024;
export const MAX_OFFERED_MEMORIES = 100;
export const MAX_CANDIDATES = 10;

/** Of vectors of unit length. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((sum, each, i) => sum + each * (b[i] as number), 0);
}
