import { type Findings, isReached, type Plot, type Ratio, type Table } from "../findings.ts";
import { shown } from "./console.ts";

/** What a part found, and when. */
export interface PlayedPart {
  readonly name: string;
  readonly title: string;
  readonly date: string;
  readonly commit: string;
  readonly seconds: number;
  /** null: it failed. */
  readonly findings: Findings | null;
}

/** All that the page is made of. */
export interface Results {
  readonly machine: readonly (readonly [string, string])[];
  readonly parts: readonly PlayedPart[];
}

/** The page, in Markdown. */
export function pageOf({ machine, parts }: Results): string {
  const ratios = parts.flatMap(({ findings }) => findings?.ratios ?? []);
  return [
    "# Measured",
    "",
    "Written by `npm run bench`; no figure here was typed by hand. Read the ratios: both of their sides are of one run, in turns, and the milliseconds are of one machine. The load comes from a process of its own, the service is a process as its users run it, with keys, quota, limits, metrics and its log, and the models are on loopback or in the process. The Postgres server was made for the run and shares the cores with everything else.",
    "",
    "## What must show",
    "",
    ...markdown(["", "Asked", "Measured", "Reached", "Of"], ratios.map(ratioRow)),
    "",
    "## Where",
    "",
    ...markdown(["", ""], machine),
    "",
    ...markdown(
      ["Part", "Date", "Commit", "Seconds"],
      parts.map(({ title, date, commit, seconds }) => [title, date, commit, seconds.toFixed(0)]),
    ),
    "",
    ...parts.flatMap(sectionOf),
  ].join("\n");
}

export function plotsOf({ parts }: Results): Plot[] {
  return parts.flatMap(({ findings }) => findings?.plots ?? []);
}

function ratioRow(ratio: Ratio): string[] {
  const { what, bound, asked, measured, unit, from } = ratio;
  const sign = bound === "at most" ? "≤" : "≥";
  const ofUnit = unit === undefined ? "" : ` ${unit}`;
  const reached = { true: "yes", false: "**no**", null: "not measured" }[`${isReached(ratio)}`];
  const figure = measured === null ? "–" : `${shown(measured)}${ofUnit}`;
  return [what, `${sign} ${asked}${ofUnit}`, figure, reached, from];
}

function sectionOf({ title, findings }: PlayedPart): string[] {
  if (findings === null) return [`## ${title}`, "", "It failed.", ""];
  return [
    `## ${title}`,
    "",
    ...findings.plots.flatMap((plot) => [`![${plot.title}](${fileOf(plot)})`, ""]),
    ...findings.tables.flatMap((table) => tableOf(table)),
  ];
}

/** Beside the page. */
export function fileOf({ name }: Plot): string {
  return `plots/${name}.svg`;
}

/** In Markdown, below a heading. */
export function tableOf({ title, note, columns, rows }: Table): string[] {
  const cells = rows.map((row) => row.map(shown));
  return [`### ${title}`, "", note, "", ...markdown(columns, cells), ""];
}

function markdown(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = columns.map((_, i) => (i === 0 ? "---" : "---:")).join("|");
  return [lineOf(columns), `|${rule}|`, ...rows.map(lineOf)];
}
