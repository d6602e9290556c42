/**
 * Plays many histories and holds them against the laws:
 *
 *     npm run histories -- --count 10000 --engine both --faults --report FILE
 *     npm run histories -- --seed 17 --count 1            one history again
 *     npm run histories -- --replay FILE --count 20       one that was made smaller
 *     npm run histories -- --mutants                      whether it finds what is broken
 *     npm run histories -- --mutant quota                 those with this in their name
 *
 * `--faults` makes one history of `--fault-every` (30) one in which processes are
 * killed, stopped or cut off. Postgres is a cluster of its own; with `--citus`, of a
 * coordinator and two workers, for which `.ci/install-citus` comes first. Ends with 1 when a
 * law was broken, and early after `--minutes`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import type { Arena } from "./arena.ts";
import { describeFailure, describeSmaller } from "./failure.ts";
import { generate } from "./generate.ts";
import { closeGroundsOnSignal, type Ground, openGround } from "./ground.ts";
import type { History } from "./history.ts";
import { type Engine, historiesSection, mutantsSection } from "./report.ts";
import { Session } from "./session.ts";
import { shrink } from "./shrink.ts";
import type { Tally } from "./tally.ts";
import { tryMutants } from "./try-mutants.ts";
import type { Law } from "./verdicts.ts";

/** Of the histories that fail first; the others are only told of. */
const MAX_SHRUNK = 3;
const SHRINKING = {
  postgres: { maxPlays: 60, playsEach: 3 },
  pglite: { maxPlays: 15, playsEach: 1 },
} as const;
const MAX_SHRINK_MS = 60_000;
/** On PGlite the service stops and starts for each judgement. */
const BATCH = { postgres: 1, pglite: 100 } as const;
const PROGRESS_MS = 15_000;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    engine: { type: "string", default: "postgres" },
    minutes: { type: "string" },
    report: { type: "string" },
    replay: { type: "string" },
    faults: { type: "boolean", default: false },
    "fault-every": { type: "string", default: "30" },
    citus: { type: "boolean", default: false },
    mutants: { type: "boolean", default: false },
    mutant: { type: "string" },
  },
});

closeGroundsOnSignal();
const engines: readonly Engine[] =
  values.engine === "both" ? ["postgres", "pglite"] : [wholeEngine(values.engine)];
/** An equal part of the time for each engine. */
const minutesEach =
  values.minutes === undefined ? Infinity : Number(values.minutes) / engines.length;

if (values.mutants || values.mutant !== undefined) {
  const caught = await tryMutants(values.mutant ?? null, Number(values.count));
  if (values.report !== undefined) await writeFile(values.report, mutantsSection(caught));
  console.log(mutantsSection(caught));
  process.exit(caught.every(({ laws }) => laws.length > 0) ? 0 : 1);
}

const tallies = new Map<Engine, Tally>();
for (const engine of engines) tallies.set(engine, await runOn(engine));
if (values.report !== undefined) await writeFile(values.report, historiesSection(tallies));
console.log(historiesSection(tallies));
process.exit([...tallies.values()].some(({ hasViolations }) => hasViolations) ? 1 : 0);

function wholeEngine(name: string): Engine {
  if (name === "postgres" || name === "pglite") return name;
  throw new Error("--engine is postgres, pglite or both");
}

async function runOn(engine: Engine): Promise<Tally> {
  const grounds = new Map<boolean, Ground>();
  const options = { isDistributed: values.citus };
  const arenaFor = async ({ faults }: History) => {
    const withFaults = faults.length > 0;
    const ground = grounds.get(withFaults) ?? (await openGround(engine, withFaults, options));
    grounds.set(withFaults, ground);
    return ground.arena;
  };
  let shrunk = 0;
  const session = new Session({
    batch: values.replay === undefined ? BATCH[engine] : 1,
    onFailure: async (history, { violations }, arena) => {
      console.error(describeFailure(engine, history, violations));
      if (values.replay !== undefined || shrunk++ >= MAX_SHRUNK) return;
      const laws = new Set(violations.map(({ law }) => law));
      const limits = { ...SHRINKING[engine], endsAt: performance.now() + MAX_SHRINK_MS };
      const smallest = await shrink(history, (smaller) => fails(smaller, laws, arena), limits);
      console.error(await describeSmaller(engine, smallest));
    },
  });
  const endsAt = performance.now() + 60_000 * minutesEach;
  let progressAt = performance.now();
  try {
    for await (const history of histories(engine)) {
      if (performance.now() > endsAt) break;
      await session.run(history, await arenaFor(history));
      if (performance.now() - progressAt < PROGRESS_MS) continue;
      progressAt = performance.now();
      console.log(`${engine}: seed ${history.seed}, ${session.progress()}`);
    }
    await session.end();
  } finally {
    for (const ground of grounds.values()) await ground.close();
  }
  console.log(`${engine}: ${session.tally.summary()}`);
  return session.tally;
}

async function* histories(engine: Engine): AsyncGenerator<History> {
  const first = Number(values.seed);
  for (let index = 0; index < Number(values.count); index++) {
    if (values.replay !== undefined) {
      yield JSON.parse(await readFile(values.replay, "utf8"));
    } else {
      const seed = first + index;
      const withFaults = values.faults && seed % Number(values["fault-every"]) === 0;
      yield generate(seed, engine, withFaults);
    }
  }
}

async function fails(history: History, laws: ReadonlySet<Law>, arena: Arena): Promise<boolean> {
  const [verdicts] = await arena.judge([await arena.play(history)]);
  return verdicts?.violations.some(({ law }) => laws.has(law)) ?? false;
}
