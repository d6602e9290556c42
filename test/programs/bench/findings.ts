/** What a part of the bench hands to the page: everything on it comes from these. */

/** What a round of calls took. */
export interface Sample {
  readonly latenciesMs: readonly number[];
  readonly seconds: number;
  /** Of the process that calls. */
  readonly callerCpuMs: number;
  /** Calls that were answered with an error, or not at all; their times are not among the others. */
  readonly failures: number;
  /** Of the process that serves, while the round ran; null: there is none. */
  readonly cpuMs: number | null;
  /** The most that the process that serves had resident at any look. */
  readonly residentMiB: number | null;
}

export interface Table {
  readonly title: string;
  /** What one has to know to read it. */
  readonly note: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** null: not measured. */
export type Cell = string | number | null;

/** Something that must show, in one run. */
export interface Ratio {
  readonly what: string;
  readonly bound: "at most" | "at least";
  readonly asked: number;
  /** null: not measured in this run. */
  readonly measured: number | null;
  /** Of a figure that is none of two others. */
  readonly unit?: "ms" | "s" | "MB";
  /** Of what it was made, with units. */
  readonly from: string;
  /** What single rounds came to, of which it is the middle one. */
  readonly rounds?: Spread;
}

export interface Spread {
  readonly least: number;
  readonly most: number;
  readonly count: number;
}

export type Plot = LinePlot | BarPlot;

interface AnyPlot {
  /** Of its file, without an ending. */
  readonly name: string;
  readonly title: string;
  readonly yLabel: string;
}

/** Lines over common axes, both logarithmic. */
export interface LinePlot extends AnyPlot {
  readonly kind: "lines";
  readonly xLabel: string;
  readonly lines: readonly {
    readonly name: string;
    readonly points: readonly (readonly [x: number, y: number])[];
  }[];
}

/** A bar for each name, from zero. */
export interface BarPlot extends AnyPlot {
  readonly kind: "bars";
  readonly bars: readonly { readonly name: string; readonly value: number }[];
}

/** All that a part found. */
export interface Findings {
  readonly tables: readonly Table[];
  readonly ratios: readonly Ratio[];
  readonly plots: readonly Plot[];
}

/** How thoroughly it is measured. */
export type Extent = "full" | "short";

export function isReached({ bound, asked, measured }: Ratio): boolean | null {
  if (measured === null) return null;
  return bound === "at most" ? measured <= asked : measured >= asked;
}
