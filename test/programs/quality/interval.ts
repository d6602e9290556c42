/** The quantile of the standard normal distribution that leaves 2.5 % on either side. */
const Z_95 = 1.959963984540054;

/** Both from 0 to 1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * The Wilson score interval (without continuity correction) of a share, at 95 %: where the
 * true share lies that `hits` of `trials` were drawn from. From 0 to 1 where nothing was tried.
 */
export function wilsonInterval(hits: number, trials: number): Interval {
  if (trials === 0) return { low: 0, high: 1 };
  const share = hits / trials;
  const squared = Z_95 ** 2;
  const centre = (share + squared / (2 * trials)) / (1 + squared / trials);
  const half =
    (Z_95 / (1 + squared / trials)) *
    Math.sqrt((share * (1 - share)) / trials + squared / (4 * trials ** 2));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
