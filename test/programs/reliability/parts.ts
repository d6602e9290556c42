/** A command that tries something for long and writes a section about it. */
export interface Part {
  /** As options of `npm run reliability` call it. */
  readonly name: string;
  /** Of package.json. */
  readonly script: string;
  /** What it takes at its full length, beside `--report FILE`. */
  readonly arguments: readonly string[];
  /** The most that it may take, in minutes, when it takes `--minutes`; null: it does not. */
  readonly minutes: number | null;
}

/** In the order of the page. */
export const PARTS: readonly Part[] = [
  {
    name: "neighbours, embedded",
    script: "neighbours",
    arguments: ["--engine", "pglite"],
    minutes: null,
  },
  {
    name: "neighbours, Postgres",
    script: "neighbours",
    arguments: ["--engine", "postgres"],
    minutes: null,
  },
  {
    name: "histories",
    script: "histories",
    arguments: ["--count", "2000", "--engine", "both", "--faults"],
    minutes: 240,
  },
  { name: "mutants", script: "histories", arguments: ["--mutants"], minutes: null },
  { name: "fuzz", script: "fuzz", arguments: ["--count", "100000"], minutes: 120 },
  { name: "footprint", script: "footprint", arguments: [], minutes: null },
  { name: "soak", script: "soak", arguments: [], minutes: 60 },
];

/** The arguments that a part is run with. `minutes`: as the caller says; undefined: in full. */
export function argumentsOf(part: Part, minutes: string | undefined, report: string): string[] {
  const limit = minutes ?? part.minutes;
  return [
    ...part.arguments,
    ...(part.minutes === null ? [] : ["--minutes", String(limit)]),
    "--report",
    report,
  ];
}
