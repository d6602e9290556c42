import { wilsonInterval } from "./interval.ts";
import type { Rates } from "./measure.ts";

/** A share that was measured: `hits` of `trials`. */
export interface Figure {
  readonly name: string;
  readonly hits: number;
  readonly trials: number;
}

/** What was measured of one part of the labelled set. */
export interface Measured {
  readonly figures: readonly Figure[];
  /** One line for each mistake. */
  readonly mistakes: readonly string[];
}

export function ratesAsFigures({ counts }: Rates): Figure[] {
  const { right, produced, expected } = counts;
  return [
    { name: "precision", hits: right, trials: produced },
    { name: "recall", hits: right, trials: expected },
  ];
}

/** `84.4 % (79.1 to 88.6), 190 of 225`: the share, its 95 % interval, and what it is of. */
export function figureText({ hits, trials }: Figure): string {
  if (trials === 0) return "nothing to measure";
  const { low, high } = wilsonInterval(hits, trials);
  return `${percent(hits / trials)} % (${percent(low)} to ${percent(high)}), ${hits} of ${trials}`;
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}
