import { BOUNDS, type Measure, type Sample, type Verdict } from "./flatness.ts";
import type { Load } from "./load.ts";

const COLUMN_CHARACTERS = 19;
const MEASURES = Object.keys(BOUNDS) as Measure[];

/** The names of what the lines of samples show. */
export function titleLine(): string {
  return MEASURES.map((measure) => measure.padStart(COLUMN_CHARACTERS)).join(" ");
}

export function lineOf(sample: Sample): string {
  return MEASURES.map((measure) => shown(sample[measure]).padStart(COLUMN_CHARACTERS)).join(" ");
}

/** A section of Markdown. */
export function reportOf(run: {
  readonly database: string;
  readonly minutes: number;
  readonly rate: number;
  readonly verdicts: readonly Verdict[];
  readonly load: Load;
  readonly isSound: boolean;
}): string {
  const { load, verdicts } = run;
  const rows = verdicts.map(({ measure, thirds, limit, isFlat }) => {
    const { name, unit } = BOUNDS[measure];
    const title = unit === "" ? name : `${name}, ${unit}`;
    return [title, ...thirds.map(shown), shown(limit), isFlat ? "yes" : "**no**"];
  });
  const actions = Object.entries(load.done).map(([action, count]) => `${action} ${count}`);
  const total = Object.values(load.done).reduce((sum, count) => sum + count, 0);
  return [
    "## Soak",
    "",
    `${run.minutes} minutes of mixed load on ${run.database}: ${total} actions, about ` +
      `${run.rate} a second, over REST, gRPC, gRPC-Web and Connect, as much deleted as written. ` +
      "The first third is the warm-up; what a measure's median is in the last third may be above " +
      "that of the middle one by no more than its bound.",
    "",
    "| Measure | First third | Middle third | Last third | Bound | Flat |",
    "|---|---|---|---|---|---|",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    "",
    `Done: ${actions.join(", ")}.`,
    "",
    `Answered with 503 and a wait: ${load.unavailable}. Answers that were not as they should be: ` +
      `${[...load.unexpected.values()].reduce((sum, count) => sum + count, 0)}. ` +
      `The process lived to the end, and ended in order: ${run.isSound ? "yes" : "**no**"}.`,
    ...[...load.unexpected].map(([what, count]) => `\n- ${count} × ${what}`),
    "",
  ].join("\n");
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}
