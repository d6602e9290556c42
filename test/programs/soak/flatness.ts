/** What is sampled, and how much more of it the end may show than the middle. */
export interface Bound {
  readonly name: string;
  readonly unit: string;
  /** Of the median of the middle third. */
  readonly growth: number;
  /** In the unit; what growth is too little to see a trend in. The larger one counts. */
  readonly slack: number;
}

/** By what `Sample` calls it. */
export const BOUNDS = {
  rssMiB: { name: "Memory (RSS)", unit: "MiB", growth: 0.1, slack: 24 },
  heapMiB: { name: "JavaScript heap", unit: "MiB", growth: 0.15, slack: 8 },
  fileDescriptors: { name: "File descriptors", unit: "", growth: 0, slack: 6 },
  sockets: { name: "Sockets", unit: "", growth: 0, slack: 6 },
  databaseConnections: { name: "Connections to the database", unit: "", growth: 0, slack: 2 },
  loopDelayP99Ms: { name: "Delay of the event loop, p99", unit: "ms", growth: 0.5, slack: 20 },
  latencyP50Ms: { name: "Latency, p50", unit: "ms", growth: 0.3, slack: 5 },
  latencyP99Ms: { name: "Latency, p99", unit: "ms", growth: 0.5, slack: 60 },
} as const satisfies Record<string, Bound>;

export type Measure = keyof typeof BOUNDS;
/** One moment of a run. */
export type Sample = Readonly<Record<Measure, number>>;

export interface Verdict {
  readonly measure: Measure;
  /** Medians of the three thirds of the run; the first is the warm-up, and not judged. */
  readonly thirds: readonly [number, number, number];
  /** The most that the last third may show. */
  readonly limit: number;
  readonly isFlat: boolean;
}

/** Fewer samples than this tell nothing. */
export const MIN_SAMPLES = 6;

/**
 * Whether each measure is as it was: the median of the last third of the samples is within
 * the bound of that of the middle third. Medians, so that a moment's noise is no trend.
 */
export function judgeFlatness(samples: readonly Sample[]): Verdict[] {
  if (samples.length < MIN_SAMPLES) throw new RangeError(`at least ${MIN_SAMPLES} samples`);
  return (Object.keys(BOUNDS) as Measure[]).map((measure) => {
    const { growth, slack } = BOUNDS[measure];
    const third = Math.floor(samples.length / 3);
    const median = (from: number, to?: number) =>
      medianOf(samples.slice(from, to).map((sample) => sample[measure]));
    const first = median(0, samples.length - 2 * third);
    const middle = median(-2 * third, -third);
    const last = median(-third);
    const limit = middle + Math.max(middle * growth, slack);
    return { measure, thirds: [first, middle, last], limit, isFlat: last <= limit };
  });
}

function medianOf(numbers: readonly number[]): number {
  return percentile(numbers, 0.5);
}

/** The number below which this share of them lies; 0 of none. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
