/** What `npm run bench` makes of what it measures. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isReached, type Plot, type Ratio } from "./findings.ts";
import { shown } from "./page/console.ts";
import { fileOf, type PlayedPart, pageOf, plotsOf, type Results } from "./page/page.ts";
import { drawn } from "./page/plot.ts";
import { compare, percentile, slope, summarize } from "./samples.ts";

const ratio: Ratio = {
  what: "A to B",
  bound: "at most",
  asked: 2.5,
  measured: 2.4,
  from: "12 ms, 5 ms",
};
const plot: Plot = {
  kind: "lines",
  name: "growth",
  title: "It grows",
  xLabel: "memories",
  yLabel: "ms",
  lines: [
    {
      name: "search",
      points: [
        [100, 1],
        [1_000, 12],
      ],
    },
  ],
};
const part: PlayedPart = {
  name: "calls",
  title: "Calls",
  date: "2026-05-04",
  commit: "abc",
  seconds: 12,
  machine: { others: 0.02, stolen: 0.001 },
  findings: {
    tables: [{ title: "All", note: "Of one run.", columns: ["", "ms"], rows: [["write", 1.234]] }],
    ratios: [ratio],
    plots: [plot],
  },
};
const page = (parts: readonly PlayedPart[]) => pageOf({ machine: [["Node.js", "24"]], parts });

describe("samples", () => {
  test("percentiles are of what was measured", () => {
    expect([0, 0.5, 0.99].map((share) => percentile([1, 2, 3, 4], share))).toEqual([1, 3, 4]);
    expect(percentile([], 0.5)).toBeNaN();
  });

  const round = { callerCpuMs: 500, failures: 1, cpuMs: 20, residentMiB: 100 };
  const rounds = [
    { ...round, latenciesMs: [1, 2, 3], seconds: 1 },
    { ...round, latenciesMs: [1, 2, 3, 4], seconds: 1, residentMiB: 90 },
    { ...round, latenciesMs: [400], seconds: 1, cpuMs: 200 },
  ];

  test("a round that was disturbed has a part in the slowest calls, and in no other figure", () => {
    expect(summarize(rounds)).toMatchObject({
      ...{ calls: 8, callsASecond: 3, p50Ms: 3, p99Ms: 400, cpuMsACall: 20 / 3 },
      ...{ failures: 3, callerShare: 0.5, residentMiB: 100 },
    });
  });

  test("two are compared round by round", () => {
    const slower = summarize(
      rounds.map((each) => ({ ...each, latenciesMs: each.latenciesMs.map((ms) => 2 * ms) })),
    );
    expect(compare(slower, summarize(rounds), (a, b) => a.p50Ms - b.p50Ms)).toEqual({
      measured: 3,
      rounds: { least: 2, most: 400, count: 3 },
    });
  });

  test.each([
    [0, (x: number) => 5 + 0 * x],
    [1, (x: number) => 3 * x],
    [0.5, (x: number) => Math.sqrt(x)],
  ])("the slope of the logarithms: %d", (expected, of) => {
    expect(slope([10, 100, 1_000].map((x) => [x, of(x)]))).toBeCloseTo(expected);
  });
});

describe("the page", () => {
  test.each([
    ["at most", 2.4, true],
    ["at most", 2.6, false],
    ["at least", 2.4, false],
    ["at least", 2.6, true],
    ["at most", null, null],
  ] as const)("%s 2.5, measured %s: %s", (bound, measured, reached) => {
    expect(isReached({ ...ratio, bound, measured })).toBe(reached);
  });

  test("opens with what must show, reached or not", () => {
    const rounds = { least: 8.5, most: 11, count: 5 };
    const missed = { ...ratio, measured: 9, unit: "ms", rounds } as const;
    const open = { ...ratio, measured: null };
    const findings = { ...part.findings, tables: [], plots: [], ratios: [ratio, missed, open] };
    const text = page([{ ...part, findings }]);
    expect(text).toContain("| A to B | ≤ 2.5 | 2.40 | – | yes | 12 ms, 5 ms |");
    expect(text).toContain("| A to B | ≤ 2.5 ms | 9 ms | 8.50 to 11 in 5 | **no** | 12 ms, 5 ms |");
    expect(text).toContain("| A to B | ≤ 2.5 | – | – | not measured | 12 ms, 5 ms |");
  });

  test("has each table, each plot, and what failed", () => {
    const text = page([part, { ...part, title: "Peers", findings: null }]);
    expect(text).toContain("| write | 1.23 |");
    expect(text).toContain("![It grows](plots/growth.svg)");
    expect(text).toContain("| Calls | 2026-05-04 | abc | 12 | 2.0 % | 0.1 % |");
    expect(text).toContain("## Peers\n\nIt failed.");
  });

  test("shows figures with three digits that mean something", () => {
    expect([12_345.6, 123.4, 12.34, 1.234, 0.0123, null, "x"].map(shown)).toEqual([
      "12,346",
      "123",
      "12.3",
      "1.23",
      "0.012",
      "–",
      "x",
    ]);
  });
});

test("a plot has every point and name, and text for light and dark pages", () => {
  const svg = drawn(plot);
  expect(svg.match(/<circle/g)).toHaveLength(3);
  expect(svg).toContain(">search<");
  expect(svg).toContain("prefers-color-scheme: dark");
  expect(svg).not.toContain("NaN");
  const bars = drawn({ ...plot, kind: "bars", bars: [{ name: "a < b", value: 0.5 }] });
  expect(bars).toContain("a &lt; b");
});

test("the page and the plots that are there are those of the results", () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
  expect(existsSync(join(import.meta.dirname, "results.json"))).toBe(true);
  const results: Results = JSON.parse(read("results.json"));
  expect(read("RESULTS.md")).toBe(pageOf(results));
  for (const each of plotsOf(results)) expect(read(fileOf(each))).toBe(drawn(each));
});
