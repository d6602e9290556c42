/** How a part went, when it was last run. */
export interface PlayedPart {
  readonly name: string;
  /** As it can be typed again, without the file of its report. */
  readonly command: string;
  readonly date: string;
  /** Of the service that was tried. */
  readonly commit: string;
  /** null: a signal ended it. */
  readonly code: number | null;
  readonly minutes: number;
  /** What it wrote; null: nothing. */
  readonly section: string | null;
}

/** Where the command was run that wrote the page. */
export interface Setting {
  readonly machine: string;
  readonly node: string;
  readonly engines: readonly string[];
}

export function isGood({ code, section }: PlayedPart): boolean {
  return code === 0 && section !== null;
}

/** The whole page, in Markdown; `partsOf` reads its parts again. */
export function pageOf(setting: Setting, parts: readonly PlayedPart[]): string {
  const rows = parts.map((part) => {
    const held = isGood(part) ? "yes" : `**no** (${endOf(part)})`;
    const minutes = part.minutes.toFixed(1);
    return `| ${part.name} | \`${part.command}\` | ${part.date} | ${part.commit} | ${minutes} | ${held} |`;
  });
  const sections = parts.map(({ section, ...part }) => {
    const text = section?.trim() ?? `## ${part.name}\n\nIt ended without a report.`;
    return `${OPENING}${JSON.stringify({ ...part, isEmpty: section === null })}${CLOSING}\n${text}`;
  });
  return [
    "# What was tried, how often, and what was lost",
    "",
    "Written by `npm run reliability`, part by part; no figure here was typed by hand.",
    "",
    "| | |",
    "|---|---|",
    `| Machine | ${setting.machine} |`,
    `| Node.js | ${setting.node} |`,
    `| Engines | ${setting.engines.join("; ")} |`,
    "",
    "| Part | Command | Date | Commit | Minutes | Held |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
    sections.join("\n\n"),
    "",
  ].join("\n");
}

/** What stands before each section, for `partsOf` and not for readers. */
const OPENING = "<!-- ";
const CLOSING = " -->";

/** The parts of a page, as they were written. */
export function partsOf(page: string): PlayedPart[] {
  return page
    .split(`\n${OPENING}`)
    .slice(1)
    .map((written) => {
      const end = written.indexOf(CLOSING);
      const { isEmpty, ...part } = JSON.parse(written.slice(0, end));
      return { ...part, section: isEmpty ? null : written.slice(end + CLOSING.length).trim() };
    });
}

function endOf({ code, section }: PlayedPart): string {
  if (code !== null && code !== 0) return `it ended with ${code}`;
  if (code === null) return "a signal ended it";
  return section === null ? "it wrote no report" : "held";
}
