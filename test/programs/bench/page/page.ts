import {
  type Findings,
  isReached,
  type Plot,
  type Ratio,
  type Spread,
  type Table,
} from "../findings.ts";
import { percent, shown } from "./console.ts";
import type { MachineUse } from "./machine-use.ts";

/** What a part found, and when. */
export interface PlayedPart {
  readonly name: string;
  readonly title: string;
  readonly date: string;
  readonly commit: string;
  readonly seconds: number;
  /** null: nobody looked. */
  readonly machine: MachineUse | null;
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
    "Written by `npm run bench`; no figure here was typed by hand. Read the ratios: both of their sides were called in turns, in short rounds, after as much as it takes to make connections and compile code; a ratio is the middle of what the rounds came to. The milliseconds are of one machine. The load comes from a process of its own, the service is a process as its users run it, with keys, quota, limits, metrics and its log, and the models are on loopback or in the process. The Postgres server is durable as PostgreSQL ships, has the shared buffers that its manual recommends, and shares the cores with everything else.",
    "",
    "[Why some rows are not reached](UNREACHED.md): where the time goes, and what was tried.",
    "",
    "## What must show",
    "",
    ...markdown(["", "Asked", "Measured", "Rounds", "Reached", "Of"], ratios.map(ratioRow)),
    "",
    "## Where",
    "",
    ...markdown(["", ""], machine),
    "",
    ...markdown(
      ["Part", "Date", "Commit", "Seconds", "Processors used by others", "Stolen"],
      parts.map(({ title, date, commit, seconds, machine }) => [
        ...[title, date, commit, seconds.toFixed(0)],
        ...(machine === null ? ["–", "–"] : [percent(machine.others), percent(machine.stolen)]),
      ]),
    ),
    "",
    ...parts.flatMap(sectionOf),
  ].join("\n");
}

export function plotsOf({ parts }: Results): Plot[] {
  return parts.flatMap(({ findings }) => findings?.plots ?? []);
}

function ratioRow(ratio: Ratio): string[] {
  const { what, bound, asked, measured, unit, from, rounds } = ratio;
  const sign = bound === "at most" ? "≤" : "≥";
  const ofUnit = unit === undefined ? "" : ` ${unit}`;
  const reached = { true: "yes", false: "**no**", null: "not measured" }[`${isReached(ratio)}`];
  const figure = measured === null ? "–" : `${shown(measured)}${ofUnit}`;
  const spread = rounds === undefined ? "–" : spreadOf(rounds);
  return [what, `${sign} ${asked}${ofUnit}`, figure, spread, reached, from];
}

function spreadOf({ least, most, count }: Spread): string {
  return `${shown(least)} to ${shown(most)} in ${count}`;
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
