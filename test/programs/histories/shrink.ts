import { performance } from "node:perf_hooks";
import type { History } from "./history.ts";

export interface ShrinkLimits {
  readonly maxPlays: number;
  /** Of the monotonic clock, in milliseconds. */
  readonly endsAt: number;
  /** As races are, a smaller history is given several chances to fail. */
  readonly playsEach: number;
}

/** The smallest history found that still fails, by leaving out what it fails without. */
export async function shrink(
  history: History,
  fails: (candidate: History) => Promise<boolean>,
  { maxPlays, endsAt, playsEach }: ShrinkLimits,
): Promise<History> {
  let smallest = history;
  let plays = 0;
  const isOver = () => plays >= maxPlays || performance.now() > endsAt;
  const tryOut = async (candidate: History) => {
    for (let turn = 0; turn < playsEach && !isOver(); turn++) {
      plays++;
      if (!(await fails(candidate))) continue;
      smallest = candidate;
      return true;
    }
    return false;
  };

  for (let index = smallest.faults.length - 1; index >= 0; index--) {
    await tryOut({ ...smallest, faults: smallest.faults.toSpliced(index, 1) });
  }
  for (let index = smallest.clients.length - 1; index >= 0; index--) {
    const clients = smallest.clients.with(index, []);
    if (smallest.clients[index]?.length) await tryOut({ ...smallest, clients });
  }
  const longest = () => Math.max(...smallest.clients.map(({ length }) => length));
  for (
    let part = Math.ceil(longest() / 2);
    part >= 1;
    part = part === 1 ? 0 : Math.ceil(part / 2)
  ) {
    for (const index of smallest.clients.keys()) {
      for (let start = 0; start < (smallest.clients[index]?.length ?? 0); ) {
        const rest = smallest.clients[index]?.toSpliced(start, part) ?? [];
        const isSmaller = await tryOut({
          ...smallest,
          clients: smallest.clients.with(index, rest),
        });
        if (!isSmaller) start += part;
        if (isOver()) return smallest;
      }
    }
  }
  return smallest;
}
