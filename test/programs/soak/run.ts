/**
 * Mixed load at a moderate rate on a service of its own, and whether what it uses, and how
 * long it takes, stay as they are:
 *
 *     npm run soak -- --minutes 60 --report FILE [--engine pglite]
 *
 * On a Postgres server that is made for it, unless TEST_DATABASE_URL names one. Linux only.
 * Exits with 1 where something grows, or an answer was not as it should be.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { TestEngine } from "../../support/database.ts";
import { startServiceWithAccounts } from "../../support/service-with-accounts.ts";
import { judgeFlatness, MIN_SAMPLES, percentile, type Sample } from "./flatness.ts";
import { startLoad } from "./load.ts";
import { observeDatabase, observeProcess } from "./observe.ts";
import type { ProbeSample } from "./probe.ts";
import { lineOf, reportOf, titleLine } from "./report.ts";

const MINUTE_MS = 60_000;
const BYTES_A_MIB = 1_048_576;
const WITH_POSTGRES = join(import.meta.dirname, "../../../.ci/with-postgres");
const PROBE = join(import.meta.dirname, "probe.ts");
/** Of a run that is too short for a sample a minute. */
const MIN_RUN_SAMPLES = 2 * MIN_SAMPLES;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    engine: { type: "string", default: "postgres" },
    users: { type: "string", default: "12" },
    rate: { type: "string", default: "25" },
    report: { type: "string" },
  },
});
const engine: TestEngine = values.engine === "pglite" ? "pglite" : "postgres";
if (engine === "postgres" && process.env.TEST_DATABASE_URL === undefined) {
  const command = [process.execPath, ...process.argv.slice(1)];
  process.exit(spawnSync(WITH_POSTGRES, command, { stdio: "inherit" }).status ?? 1);
}

const probed = { latest: Promise.withResolvers<ProbeSample>() };
const service = await startServiceWithAccounts(engine, Number(values.users), {
  nodeArguments: ["--import", PROBE],
  onMessage: (message) => probed.latest.resolve(message as ProbeSample),
});
const durationMs = Number(values.minutes) * MINUTE_MS;
const intervalMs = Math.min(MINUTE_MS, durationMs / MIN_RUN_SAMPLES);
const { process: server, keys, place, description } = service;
const database = await observeDatabase(place);
const load = startLoad({ url: server.url, keys, rate: Number(values.rate) });

const samples: Sample[] = [];
console.log(titleLine());
for (let due = intervalMs; due <= durationMs; due += intervalMs) {
  if ((await Promise.race([server.ended, sleep(intervalMs)])) !== undefined) break;
  const sample = await takeSample();
  samples.push(sample);
  console.log(lineOf(sample));
}
await load.stop();
await database.close();
const { isSound, output } = await service.close();
for (const line of output.split("\n").filter((each) => each.startsWith("{"))) console.log(line);

const verdicts = judgeFlatness(samples);
const isGood = isSound && load.unexpected.size === 0 && verdicts.every(({ isFlat }) => isFlat);
const report = reportOf({
  database: description,
  minutes: durationMs / MINUTE_MS,
  rate: Number(values.rate),
  verdicts,
  load,
  isSound,
});
console.log(report);
if (values.report !== undefined) writeFileSync(values.report, report);
process.exit(isGood ? 0 : 1);

async function takeSample(): Promise<Sample> {
  probed.latest = Promise.withResolvers();
  server.send("sample");
  const { heapBytes, loopDelayP99Ms } = await probed.latest.promise;
  const latenciesMs = load.takeLatenciesMs();
  return {
    ...observeProcess(server.pid),
    heapMiB: heapBytes / BYTES_A_MIB,
    databaseConnections: await database.connections(),
    loopDelayP99Ms,
    latencyP50Ms: percentile(latenciesMs, 0.5),
    latencyP99Ms: percentile(latenciesMs, 0.99),
  };
}
