import type { Sample, Spread } from "./findings.ts";

const MS_A_SECOND = 1_000;

/** What a round of calls came to. */
export interface Figures {
  readonly callsASecond: number;
  readonly p50Ms: number;
  /** Of the process that serves, for each call; null: none is looked at. */
  readonly cpuMsACall: number | null;
}

/** What rounds of the same calls came to: of figures the middle round's, so that one that was disturbed says nothing. */
export interface Measurement extends Figures {
  readonly calls: number;
  readonly failures: number;
  /** Of all calls, those of disturbed rounds too. */
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** How much of a processor the process that calls used: near 1 it is what is measured. */
  readonly callerShare: number;
  readonly residentMiB: number | null;
  readonly rounds: readonly Figures[];
}

export function summarize(samples: readonly Sample[]): Measurement {
  const latencies = samples.flatMap(({ latenciesMs }) => latenciesMs).toSorted((a, b) => a - b);
  const resident = samples.map((sample) => sample.residentMiB).filter((each) => each !== null);
  const rounds = samples.map(figuresOf);
  const cpuMs = rounds.map(({ cpuMsACall }) => cpuMsACall).filter((each) => each !== null);
  return {
    calls: latencies.length,
    failures: samples.reduce((sum, { failures }) => sum + failures, 0),
    callsASecond: median(rounds.map(({ callsASecond }) => callsASecond)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p95Ms: percentile(latencies, 0.95),
    p99Ms: percentile(latencies, 0.99),
    cpuMsACall: cpuMs.length === 0 ? null : median(cpuMs),
    callerShare: median(
      samples.map(({ callerCpuMs, seconds }) => callerCpuMs / MS_A_SECOND / seconds),
    ),
    residentMiB: resident.length === 0 ? null : Math.max(...resident),
    rounds,
  };
}

function figuresOf({ latenciesMs, seconds, cpuMs }: Sample): Figures {
  return {
    callsASecond: latenciesMs.length / seconds,
    p50Ms: median(latenciesMs),
    cpuMsACall: cpuMs === null ? null : cpuMs / latenciesMs.length,
  };
}

/** Round by round, of two that were measured in turns: the middle of what they come to, and least and most. */
export function compare(
  a: Measurement,
  b: Measurement,
  by: (a: Figures, b: Figures) => number,
): { readonly measured: number; readonly rounds: Spread } {
  const each = a.rounds.flatMap((round, i) => {
    const other = b.rounds[i];
    return other === undefined ? [] : [by(round, other)];
  });
  const rounds = { least: Math.min(...each), most: Math.max(...each), count: each.length };
  return { measured: median(each), rounds };
}

/** The middle one, the higher of two; NaN of none. */
export function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
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
