import type { Sample } from "./findings.ts";

/** What rounds of the same calls came to. */
export interface Measurement {
  readonly calls: number;
  readonly failures: number;
  readonly callsASecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Of the process that serves, for each call; null: none is looked at. */
  readonly cpuMsACall: number | null;
  readonly residentMiB: number | null;
}

/** Rates and times of all rounds together: a disturbed one is a part of them. */
export function summarize(samples: readonly Sample[]): Measurement {
  const latencies = samples.flatMap(({ latenciesMs }) => latenciesMs).toSorted((a, b) => a - b);
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const cpuMs = samples.map((sample) => sample.cpuMs).filter((each) => each !== null);
  const resident = samples.map((sample) => sample.residentMiB).filter((each) => each !== null);
  return {
    calls: latencies.length,
    failures: sumOf(samples.map(({ failures }) => failures)),
    callsASecond: latencies.length / sumOf(samples.map(({ seconds }) => seconds)),
    p50Ms: percentile(latencies, 0.5),
    p95Ms: percentile(latencies, 0.95),
    p99Ms: percentile(latencies, 0.99),
    cpuMsACall: cpuMs.length === 0 ? null : sumOf(cpuMs) / latencies.length,
    residentMiB: resident.length === 0 ? null : Math.max(...resident),
  };
}

/** The number below which this share of them lies; NaN of none. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** By how much the logarithm of y grows with that of x: 0 flat, 1 in proportion. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const meanOf = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [meanOf(logs.map(([x]) => x)), meanOf(logs.map(([, y]) => y))];
  const over = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const under = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return over / under;
}
