/** A memory that nothing replaced, among places. */
export const NO_REPLACEMENT = -1;

/**
 * Chain after chain from its head, so that each memory comes behind its replacement: of
 * `replacements`, which have for each memory the place of its own, the places in that order.
 * Heads keep their order; in a chain those come first that are fewest steps from the head,
 * and of these the ones whose replacement does.
 *
 * A list and not a tree of objects: there may be a million of them.
 */
export function chainOrder(replacements: Int32Array): Int32Array {
  const { firstReplaced, nextReplaced } = replacedBy(replacements);
  const order = new Int32Array(replacements.length);
  let count = 0;
  for (const [head, replacement] of replacements.entries()) {
    if (replacement !== NO_REPLACEMENT) continue;
    let done = count;
    order[count++] = head;
    for (; done < count; done++) {
      const next = order[done] ?? head;
      for (let id = firstReplaced[next] ?? -1; id !== -1; id = nextReplaced[id] ?? -1) {
        order[count++] = id;
      }
    }
  }
  if (count < order.length) throw new Error(`${order.length - count} memories are in a circle`);
  return order;
}

/** The memories that each one replaced, as lists: the first of them, and the one after each. */
function replacedBy(replacements: Int32Array) {
  const firstReplaced = new Int32Array(replacements.length).fill(-1);
  const nextReplaced = new Int32Array(replacements.length).fill(-1);
  // Each is put before the others, so the last one comes first.
  for (let place = replacements.length - 1; place >= 0; place--) {
    const replacement = replacements[place] ?? NO_REPLACEMENT;
    if (replacement === NO_REPLACEMENT) continue;
    nextReplaced[place] = firstReplaced[replacement] ?? -1;
    firstReplaced[replacement] = place;
  }
  return { firstReplaced, nextReplaced };
}
