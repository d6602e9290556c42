import { readFileSync } from "node:fs";
import { PLAN_TIERS } from "../../src/domain/account.ts";
import * as limitConstants from "../../src/domain/limits.ts";
import { PAGE_NOTE, table } from "./page-parts.ts";

const limits: Readonly<Record<string, number>> = { ...limitConstants };
const SOURCE = new URL("../../src/domain/limits.ts", import.meta.url);

const UNITS: readonly (readonly [suffix: string, unit: string])[] = [
  ["_BYTES", " bytes"],
  ["_CHARACTERS", " characters"],
  ["_HOURS", " hours"],
  ["_MINUTES", " minutes"],
  ["_SECONDS", " seconds"],
];

/** `docs/reference/limits.md`: the limits of domain/limits.ts, and the plans. */
export function limitsPage(): string {
  return `# Limits

${PAGE_NOTE}

A limit in bytes counts UTF-8 bytes. A limit in characters counts Unicode code points. A request beyond a limit is answered \`422 invalid_field\`, or as [the errors](errors.md) say.

${sections().join("\n\n")}

## Plans

The operator can set each of these numbers for one account.

${plansTable()}

A key saves up requests during a pause, up to the burst.
`;
}

/** A heading and a table for each group of constants, in the order of the source. */
function sections(): string[] {
  const source = readFileSync(SOURCE, "utf8");
  const found = source.matchAll(
    /^\/\/ (?<group>.+)$|^\/\*\* (?<meaning>.+) \*\/\nexport const (?<name>\w+)/gm,
  );
  const groups: { heading: string; rows: [string, string][] }[] = [];
  for (const { groups: match = {} } of found) {
    const { group, meaning = "", name = "" } = match;
    if (group !== undefined) groups.push({ heading: group, rows: [] });
    else groups.at(-1)?.rows.push([meaning.replace(/\.$/, ""), limitOf(name)]);
  }
  const described = groups.flatMap(({ rows }) => rows).length;
  if (described !== Object.keys(limits).length) {
    throw new Error("limits.ts: each constant needs a docstring of one line, in a group");
  }
  return groups.map(({ heading, rows }) => `## ${heading}\n\n${table(["What", "Limit"], rows)}`);
}

function limitOf(name: string): string {
  const unit = UNITS.find(([suffix]) => name.endsWith(suffix))?.[1] ?? "";
  return `${limits[name]?.toLocaleString("en")}${unit}`;
}

function plansTable(): string {
  const { starter, pro } = PLAN_TIERS;
  const row = (label: string, limit: keyof typeof starter) => [
    label,
    starter[limit].toLocaleString("en"),
    pro[limit].toLocaleString("en"),
  ];
  return table(
    ["", "starter", "pro"],
    [
      row("Writes in a period of one month, counted from the account's start", "writesLimit"),
      row("Days of grace: writes are refused, reads still work", "graceDays"),
      row("Requests a second for each key", "rate"),
      row("Requests at once after a pause (burst)", "burst"),
    ],
  );
}
