import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newTestLocation, type TestEngine } from "../../../support/database.ts";
import { fillTenant, madeContents } from "../filled.ts";
import type { Cell, Table } from "../findings.ts";
import { type ModelsPlace, startHttpModels } from "../http-models.ts";
import { startLoad } from "../load/load.ts";
import type { Operation } from "../load/operations.ts";
import { FILLED_TENANT, nameOf, operationScenario } from "../operation-scenario.ts";
import { percent, shown } from "../page/console.ts";
import { type Measurement, summarize } from "../samples.ts";
import { startService } from "../service.ts";
import { IDLE, type Period, type SelfTimes, selfTimes } from "./self-times.ts";

const MEMORIES = 1_000;
/** Until what is called often was compiled. */
const WARM_UP_MS = 3_000;
const PROFILED_MS = 5_000;
const SAMPLED_EVERY_MICROS = 500;
const FUNCTIONS = 20;
const SMALLEST_SHARE = 0.001;

const MODELS = { local: "models in the process", http: "models over HTTP on loopback" };

export interface ProfiledCalls {
  readonly operation: Operation;
  readonly protocol: "rest" | "grpc";
  readonly engine: TestEngine;
  readonly models: ModelsPlace;
  readonly clients: number;
}

/** Where the time of the service goes while it is called: of its main thread, and of its others together. */
export async function profileService(calls: ProfiledCalls): Promise<Table[]> {
  const { operation, protocol, engine, models, clients } = calls;
  const folder = await mkdtemp(join(tmpdir(), "agent-memory-profile-"));
  const place = await newTestLocation(engine);
  const http = models === "http" ? await startHttpModels() : null;
  const service = await startService(place, {
    variables: http?.variables ?? {},
    nodeArguments: [
      "--cpu-prof",
      `--cpu-prof-dir=${folder}`,
      `--cpu-prof-interval=${SAMPLED_EVERY_MICROS}`,
    ],
  });
  const { key } = await service.newAccount("bench");
  await fillTenant(service, key, FILLED_TENANT, madeContents(MEMORIES));
  const load = startLoad();
  const { work, serving } = operationScenario(service, key, operation, protocol);
  const opened = await load.open(work);
  const round = { clients, calls: Number.MAX_SAFE_INTEGER };
  await opened.run({ ...round, milliseconds: WARM_UP_MS }, serving);
  const fromMicros = nowMicros();
  const measured = summarize([await opened.run({ ...round, milliseconds: PROFILED_MS }, serving)]);
  const period = { fromMicros, toMicros: nowMicros() };
  await opened.close();
  await load.close();
  // Its profiles are written as it ends.
  await service.close();
  await http?.close();
  await place.remove();
  const threads = await readProfiles(folder, period);
  await rm(folder, { recursive: true });
  const title = `${nameOf(operation, protocol)}, ${clients} ${clients === 1 ? "client" : "clients"}, ${service.description}`;
  return [
    partsOf({ title, models, measured, threads, micros: period.toMicros - period.fromMicros }),
    functionsOf(threads.main, measured.calls),
  ];
}

function nowMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

interface ProfiledThreads {
  readonly main: SelfTimes;
  readonly others: readonly SelfTimes[];
}

/** The name of a profile has the number of its thread; that of the main thread is 0. */
async function readProfiles(folder: string, period: Period): Promise<ProfiledThreads> {
  const others: SelfTimes[] = [];
  let main: SelfTimes | null = null;
  for (const file of await readdir(folder)) {
    const times = selfTimes(JSON.parse(await readFile(join(folder, file), "utf8")), period);
    if (/^CPU\.\d+\.\d+\.\d+\.0\./.test(file)) main = times;
    else others.push(times);
  }
  if (main === null) throw new Error("The service wrote no profile");
  return { main, others };
}

function partsOf(of: {
  readonly title: string;
  readonly models: ModelsPlace;
  readonly measured: Measurement;
  readonly threads: ProfiledThreads;
  readonly micros: number;
}): Table {
  const { measured, threads } = of;
  const { calls } = measured;
  const others = new Map<string, number>();
  for (const { byPart } of threads.others) {
    for (const [part, micros] of byPart) others.set(part, (others.get(part) ?? 0) + micros);
  }
  const { byPart: main } = threads.main;
  // How long the other threads wait, says nothing: they do for each other.
  others.delete(IDLE);
  const idle = main.get(IDLE) ?? 0;
  const busy = sum(main.values()) - idle;
  const parts = [...new Set([...main.keys(), ...others.keys()])]
    .filter((part) => part !== IDLE)
    .map((part) => ({ part, main: main.get(part) ?? 0, others: others.get(part) ?? 0 }))
    .filter((each) => each.main + each.others > busy * SMALLEST_SHARE)
    .toSorted((a, b) => b.main + b.others - a.main - a.others);
  const msACall = (micros: number): Cell => (micros === 0 ? null : micros / 1_000 / calls);
  const row = (name: string, mainMicros: number, othersMicros: number): Cell[] => [
    name,
    msACall(mainMicros),
    percent(mainMicros / busy),
    msACall(othersMicros),
  ];
  return {
    title: of.title,
    note:
      `${calls.toLocaleString("en")} calls, ${shown(measured.callsASecond)} a second, p50 ${shown(measured.p50Ms)} ms, ` +
      `${shown(measured.cpuMsACall)} ms of a processor a call with all threads, while it was looked at. ` +
      `The main thread was idle for ${percent(idle / (busy + idle))} of the time. A tenant of ${MEMORIES.toLocaleString("en")} memories, ${MODELS[of.models]}.`,
    columns: ["", "main thread, ms a call", "of its work", "other threads, ms a call"],
    rows: [
      ...parts.map((each) => row(each.part, each.main, each.others)),
      row("all", busy, sum(others.values())),
    ],
  };
}

function functionsOf({ byFunction }: SelfTimes, calls: number): Table {
  const rows = [...byFunction]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, FUNCTIONS)
    .map(([name, micros]): Cell[] => [name, micros / 1_000 / calls]);
  return {
    title: "Its functions",
    note: "Of the main thread, without what they call.",
    columns: ["", "ms a call"],
    rows,
  };
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}
