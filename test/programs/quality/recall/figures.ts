import { wilsonInterval } from "../interval.ts";

/** A figure with its interval of 95 %. */
export interface Figure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2_000;

/** The share of the evidence that is among the first `k`. */
export function recallAt(
  ranked: readonly string[],
  evidence: readonly string[],
  k: number,
): number {
  const first = new Set(ranked.slice(0, k));
  return evidence.filter((id) => first.has(id)).length / evidence.length;
}

/** One divided by the place of the first evidence; 0 where there is none. */
export function reciprocalRank(ranked: readonly string[], evidence: readonly string[]): number {
  const place = ranked.findIndex((id) => evidence.includes(id));
  return place < 0 ? 0 : 1 / (place + 1);
}

/** The mean over questions, with the percentiles of means of questions drawn with replacement. */
export function meanOf(values: readonly number[]): Figure {
  const random = createRandom();
  const mean = (drawn: (i: number) => number) =>
    values.reduce((sum, _, i) => sum + drawn(i), 0) / values.length;
  const means = Array.from({ length: RESAMPLES }, () =>
    mean(() => values[Math.floor(random() * values.length)] ?? Number.NaN),
  ).toSorted((a, b) => a - b);
  return {
    value: mean((i) => values[i] ?? Number.NaN),
    low: means[Math.floor(0.025 * RESAMPLES)] ?? Number.NaN,
    high: means[Math.ceil(0.975 * RESAMPLES) - 1] ?? Number.NaN,
  };
}

/** A share, with Wilson's interval; NaN where there is nothing to share. */
export function shareOf(count: number, total: number): Figure {
  return { value: count / total, ...wilsonInterval(count, total) };
}

/** The same draws in each run (mulberry32), so that a figure changes only with what it measures. */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
