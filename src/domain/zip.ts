/**
 * Pairs two lists by position. Throws an Error where one is longer: to go on would
 * drop what has no partner, or give it somebody else's.
 */
export function zip<A, B>(a: readonly A[], b: readonly B[]): [A, B][] {
  if (a.length !== b.length)
    throw new Error(`Lists of ${a.length} and ${b.length} can't be paired`);
  return a.map((value, index) => [value, b[index] as B]);
}
