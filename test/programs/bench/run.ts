/**
 * Measures the service beside its floors and its peers, and writes test/programs/bench/RESULTS.md:
 *
 *     npm run bench                                   all of it, in less than six minutes
 *     npm run bench -- --only calls --only peers      the page keeps what it says of other parts
 *     npm run bench -- --short                        whether it works; writes nothing
 *     npm run bench -- --profile write                prints where the time of the service goes
 *
 * On a Postgres server that is made for it, unless TEST_DATABASE_URL names one (as a
 * superuser), and on PGlite. Linux only. Exits with 1 where a part failed; no figure fails it.
 */
import { parseArgs } from "node:util";
import type { Part } from "./bench.ts";
import { startDatabaseServer } from "./database-server.ts";
import type { Findings } from "./findings.ts";
import { startLoad } from "./load/load.ts";
import { OPERATIONS } from "./load/operations.ts";
import { printRatios, printTable } from "./page/console.ts";
import { commitOf, describeMachine } from "./page/machine.ts";
import { watchMachine } from "./page/machine-use.ts";
import { type PlayedPart, tableOf } from "./page/page.ts";
import { writeResults } from "./page/results.ts";
import { PARTS } from "./parts/index.ts";
import { type ProfiledCalls, profileService } from "./profile/profile.ts";

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    profile: { type: "string" },
    clients: { type: "string", default: "8" },
    protocol: { type: "string", default: "rest" },
    engine: { type: "string", default: "postgres" },
    models: { type: "string", default: "local" },
  },
});
const names = PARTS.map(({ name }) => name);
const only = values.only?.map((name) => oneOf("--only", name, names));
const profiled: ProfiledCalls | null =
  values.profile === undefined
    ? null
    : {
        operation: oneOf("--profile", values.profile, OPERATIONS),
        protocol: oneOf("--protocol", values.protocol, ["rest", "grpc"]),
        engine: oneOf("--engine", values.engine, ["postgres", "pglite"]),
        models: oneOf("--models", values.models, ["local", "http"]),
        clients: Number(values.clients),
      };
const extent = values.short ? "short" : "full";

const server = await startDatabaseServer();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void server.close().finally(() => process.exit(1)));
}
let isDone = false;
try {
  isDone = profiled === null ? await measure() : await profile(profiled);
} finally {
  await server.close();
}
process.exit(isDone ? 0 : 1);

async function profile(calls: ProfiledCalls): Promise<boolean> {
  const tables = (await profileService(calls)).flatMap((table) => tableOf(table)).join("\n");
  console.log(tables);
  return true;
}

async function measure(): Promise<boolean> {
  const isChosen = ({ name, isFullOnly = false }: Part) =>
    only?.includes(name) ?? (extent === "full" || !isFullOnly);
  const played: PlayedPart[] = [];
  for (const part of PARTS.filter(isChosen)) played.push(await play(part));
  if (extent === "full") writeResults(await describeMachine(server), played, names);
  for (const { name, seconds, findings } of played) {
    console.log(`${name}: ${findings === null ? "FAILED" : "done"} in ${seconds.toFixed(0)} s`);
  }
  return played.every(({ findings }) => findings !== null);
}

async function play(part: Part): Promise<PlayedPart> {
  console.log(`\n== ${part.title}`);
  const since = performance.now();
  const machine = watchMachine();
  const load = startLoad();
  const findings = await part.measure({ extent, load, server }).catch((error: unknown) => {
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
    machine: machine.stop(),
    findings,
  };
}

function print({ tables, ratios }: Findings): void {
  for (const table of tables) printTable(table);
  printRatios(ratios);
}

function oneOf<Name extends string>(option: string, value: string, known: readonly Name[]): Name {
  const found = known.find((name) => name === value);
  if (found !== undefined) return found;
  console.error(`${option}: must be one of ${known.join(", ")}`);
  process.exit(1);
}
