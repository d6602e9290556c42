import { quantile, type Tally } from "./tally.ts";
import type { Caught } from "./try-mutants.ts";
import { LAW_TEXTS, LAWS } from "./verdicts.ts";

export type Engine = "postgres" | "pglite";

const count = (value: number) => value.toLocaleString("en-US");

function wait(values: readonly number[], part: number): string {
  const found = quantile(values, part);
  return found === null ? "" : `${count(Math.round(found))} ms`;
}

/** What a run showed, as a section in Markdown. */
export function historiesSection(tallies: ReadonlyMap<Engine, Tally>): string {
  const engines = [...tallies.keys()];
  const faults = [...new Set([...tallies.values()].flatMap((tally) => [...tally.faults.keys()]))];
  const row = (name: string, value: (tally: Tally) => string) =>
    `| ${name} | ${engines.map((engine) => value(tallies.get(engine) as Tally)).join(" | ")} |`;
  return [
    "## Histories",
    "",
    "Random concurrent calls of several clients and accounts, over REST and gRPC, against three " +
      "servers on one Postgres and one server on PGlite; what was answered and what is stored " +
      "in the end is held against laws. `npm run histories`",
    "",
    `| | ${engines.join(" | ")} |`,
    `|---|${engines.map(() => "---|").join("")}`,
    row("Histories", ({ histories }) => count(histories)),
    row("Operations", ({ operations }) => count(operations)),
    row("Calls", ({ calls }) => count(calls)),
    row("Writes acknowledged", (tally) => count(tally.acknowledgedWrites)),
    row("Writes without an answer", (tally) => count(tally.unknownWrites)),
    row("Of them stored, whole", (tally) => count(tally.unknownStored)),
    ...faults
      .toSorted()
      .map((kind) =>
        row(`Fault: ${kind.replace("_", " ")}`, (tally) => count(tally.faults.get(kind) ?? 0)),
      ),
    ...[...new Set([...tallies.values()].flatMap(({ done }) => [...done.keys()]))].map((name) =>
      row(name, ({ done }) => count(done.get(name) ?? 0)),
    ),
    row("Answers 503, with a wait", ({ unavailable }) => count(unavailable)),
    row("Answers 500", ({ internal }) => count(internal)),
    row("Until a server answers after a fault, median", ({ recoveriesMs }) =>
      wait(recoveriesMs, 0.5),
    ),
    row("Until a server answers after a fault, longest", ({ recoveriesMs }) =>
      wait(recoveriesMs, 1),
    ),
    row("Idempotency keys left to their lease", ({ openKeys }) => count(openKeys)),
    "",
    `| Law | ${engines.map((engine) => `checks, ${engine} | violations`).join(" | ")} |`,
    `|---|${engines.map(() => "---|---|").join("")}`,
    ...LAWS.map((law) =>
      row(LAW_TEXTS[law], ({ checks, violations }) => `${count(checks[law])} | ${violations[law]}`),
    ),
    "",
  ].join("\n");
}

/** Which changes of the service the histories find, as a section in Markdown. */
export function mutantsSection(caught: readonly Caught[]): string {
  return [
    "## Histories: mutants",
    "",
    "Small changes of the service, each of which a history must find. `npm run histories -- --mutants`",
    "",
    "| What was changed | Laws that found it | After histories |",
    "|---|---|---|",
    ...caught.map(
      ({ name, laws, histories }) =>
        `| ${name} | ${laws.join(", ") || "none: it survived"} | ${histories} |`,
    ),
    "",
  ].join("\n");
}
