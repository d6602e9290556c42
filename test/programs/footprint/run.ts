/**
 * What the service takes to start, and of memory, with its embedded database or on a
 * Postgres server:
 *
 *     npm run footprint -- --report FILE
 *     .ci/with-postgres npm run footprint -- --engine postgres
 *
 * In an empty database, as somebody sees it who has just installed it. Linux only.
 */
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { newTestLocation, type TestLocation } from "../../support/database.ts";
import { memoryMiBOf, statusOf } from "../../support/process-use.ts";
import { createRestClient } from "../../support/rest-client.ts";
import {
  databaseVariables,
  type ServiceProcess,
  startServiceProcess,
} from "../../support/service-process.ts";

const WRITES = 1_000;
/** What a start leaves behind is collected by then. */
const IDLE_MS = 5_000;

const { values } = parseArgs({
  options: { report: { type: "string" }, engine: { type: "string", default: "pglite" } },
});
const isEmbedded = values.engine === "pglite";
const place = isEmbedded ? await newEmptyFolder() : await newTestLocation("postgres");
const rows: (readonly [string, string])[] = [];

const first = await start("First start");
await sleep(IDLE_MS);
rows.push(["Memory after a first start, idle", memoryOf(first.pid, "VmRSS")]);
const key = first.printedKey ?? "";
await first.end("SIGTERM");

const second = await start("Start with a database that is there");
await sleep(IDLE_MS);
rows.push(["Memory after a start, idle", memoryOf(second.pid, "VmRSS")]);
const rest = createRestClient(second.url, key);
for (let index = 0; index < WRITES; index++) {
  const { status } = await rest("POST", "/agent/memories", { body: { content: `Fact ${index}` } });
  if (status !== 200) throw new Error(`a write was answered with ${status}`);
}
rows.push([`Memory after ${WRITES.toLocaleString("en")} writes`, memoryOf(second.pid, "VmRSS")]);
await second.end("SIGTERM");
await place.remove();

const report = [
  "## Start and memory",
  "",
  `With ${isEmbedded ? "the embedded database" : "Postgres"}, from the start of the process to the first 200 of \`/readyz\`.`,
  "",
  "| | |",
  "|---|---|",
  ...rows.map(([what, value]) => `| ${what} | ${value} |`),
  "",
].join("\n");
console.log(report);
if (values.report !== undefined) writeFileSync(values.report, report);

/** One that the service creates its database in. */
async function newEmptyFolder(): Promise<TestLocation> {
  const folder = await mkdtemp(join(tmpdir(), "agent-memory-footprint-"));
  return {
    location: { engine: "pglite", dataDir: join(folder, "data") },
    remove: () => rm(folder, { recursive: true }),
  };
}

async function start(what: string): Promise<ServiceProcess> {
  const startMs = performance.now();
  const service = await startServiceProcess({
    ...databaseVariables(place.location),
    NODE_DISABLE_COMPILE_CACHE: "1",
  });
  while (!(await fetch(`${service.url}/readyz`)).ok) await sleep(10);
  const seconds = (performance.now() - startMs) / 1_000;
  rows.push([
    what,
    `${seconds.toFixed(1)} s, ${cpuSecondsOf(service.pid)} s of them of a processor`,
  ]);
  rows.push([`Most memory until then`, memoryOf(service.pid, "VmHWM")]);
  return service;
}

function memoryOf(pid: number, name: "VmRSS" | "VmHWM"): string {
  return `${Math.round(memoryMiBOf(pid, name))} MiB`;
}

function cpuSecondsOf(pid: number): string {
  return (statusOf(pid).cpuMs / 1_000).toFixed(1);
}
