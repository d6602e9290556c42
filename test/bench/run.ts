/**
 * Measures the service beside its floors and its peers, and writes test/bench/RESULTS.md:
 *
 *     npm run bench                                   all of it, in less than ten minutes
 *     npm run bench -- --only calls --only peers      the page keeps what it says of other parts
 *     npm run bench -- --short                        whether it works; writes nothing
 *     npm run bench -- --profile write                where the time of the service goes; prints it
 *
 * On a Postgres server that is made for it, unless TEST_DATABASE_URL names one (as a
 * superuser), and on PGlite. Linux only. Exits with 1 where a part failed; no figure fails it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import type { Part } from "./bench.ts";
import type { Findings } from "./findings.ts";
import { startLoad } from "./load/load.ts";
import { OPERATIONS } from "./load/operations.ts";
import { printRatios, printTable } from "./page/console.ts";
import { commitOf, describeMachine } from "./page/machine.ts";
import { fileOf, type PlayedPart, pageOf, plotsOf, type Results, tableOf } from "./page/page.ts";
import { drawn } from "./page/plot.ts";
import { PARTS } from "./parts/index.ts";
import { profileService } from "./profile/profile.ts";

const WITH_POSTGRES = join(import.meta.dirname, "../../.ci/with-postgres");
/** What the page is made of, so that one part can be measured again. */
const RESULTS = join(import.meta.dirname, "results.json");
const PAGE = join(import.meta.dirname, "RESULTS.md");

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    profile: { type: "string" },
    clients: { type: "string", default: "8" },
    protocol: { type: "string", default: "rest" },
    engine: { type: "string", default: "postgres" },
  },
});
for (const name of values.only ?? [])
  oneOf(
    "--only",
    name,
    PARTS.map((part) => part.name),
  );
const databaseUrl = process.env.TEST_DATABASE_URL;
if (databaseUrl === undefined) {
  const command = [process.execPath, ...process.argv.slice(1)];
  process.exit(spawnSync(WITH_POSTGRES, command, { stdio: "inherit" }).status ?? 1);
}

if (values.profile !== undefined) {
  const tables = await profileService({
    operation: oneOf("--profile", values.profile, OPERATIONS),
    protocol: oneOf("--protocol", values.protocol, ["rest", "grpc"]),
    engine: oneOf("--engine", values.engine, ["postgres", "pglite"]),
    clients: Number(values.clients),
  });
  for (const table of tables) console.log(tableOf(table).join("\n"));
  process.exit();
}

const extent = values.short ? "short" : "full";
const isChosen = ({ name, isFullOnly = false }: Part) =>
  values.only?.includes(name) ?? (extent === "full" || !isFullOnly);
const played: PlayedPart[] = [];
for (const part of PARTS.filter(isChosen)) played.push(await play(part, databaseUrl));

if (extent === "full") {
  const before: Results | null = existsSync(RESULTS)
    ? JSON.parse(readFileSync(RESULTS, "utf8"))
    : null;
  const machine = await describeMachine(databaseUrl);
  const parts = PARTS.flatMap(
    ({ name }) => [...played, ...(before?.parts ?? [])].find((part) => part.name === name) ?? [],
  );
  const text = JSON.stringify({ machine, parts }, null, 1);
  writeFileSync(RESULTS, `${text}\n`);
  // As it will be read again.
  const results: Results = JSON.parse(text);
  writeFileSync(PAGE, pageOf(results));
  for (const plot of plotsOf(results)) {
    const file = join(import.meta.dirname, fileOf(plot));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, drawn(plot));
  }
}
for (const { name, seconds, findings } of played) {
  console.log(`${name}: ${findings === null ? "FAILED" : "done"} in ${seconds.toFixed(0)} s`);
}
process.exit(played.every(({ findings }) => findings !== null) ? 0 : 1);

function oneOf<Name extends string>(option: string, value: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === value);
  if (found !== undefined) return found;
  console.error(`${option}: must be one of ${names.join(", ")}`);
  process.exit(1);
}

async function play(part: Part, url: string): Promise<PlayedPart> {
  console.log(`\n== ${part.title}`);
  const since = performance.now();
  const load = startLoad();
  const findings = await part
    .measure({ extent, load, databaseUrl: url })
    .catch((error: unknown) => {
      console.error(error);
      return null;
    });
  await load.close();
  if (findings !== null) print(findings);
  return {
    name: part.name,
    title: part.title,
    date: new Date().toISOString().slice(0, 10),
    commit: commitOf(),
    seconds: (performance.now() - since) / 1_000,
    findings,
  };
}

function print({ tables, ratios }: Findings): void {
  for (const table of tables) printTable(table);
  printRatios(ratios);
}
