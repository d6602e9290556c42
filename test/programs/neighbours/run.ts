/**
 * Plays every case in full and prints how long another account waited meanwhile:
 *
 *     npm run neighbours -- [--engine pglite|postgres] [--case NAME]... [--report FILE] [--profile FOLDER]
 *
 * On Postgres with TEST_DATABASE_URL. Ends with 1 when an answer of the other account
 * was not 200 or took longer than LONGEST_WAIT_MS; on a machine that does something else
 * besides, that says little.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { AVAILABLE_ENGINES, type TestEngine } from "../../support/database.ts";
import { CASES } from "./cases/index.ts";
import { isGood, type Measured, reportOf, rowOf, TABLE_HEAD } from "./report.ts";
import { openStage, type Timing } from "./stage.ts";

const TIMING: Timing = { undisturbedMs: 3_000, atMostMs: 20_000, afterwardsMs: 3_000 };

const { values } = parseArgs({
  options: {
    engine: { type: "string", multiple: true, default: [...AVAILABLE_ENGINES] },
    case: { type: "string", multiple: true, default: CASES.map(({ name }) => name) },
    report: { type: "string" },
    profile: { type: "string" },
  },
});
const engines = values.engine.map(engineOf);
const cases = values.case.map(caseOf);
if (values.profile !== undefined) mkdirSync(values.profile, { recursive: true });

const measured: Measured[] = [];
console.log(TABLE_HEAD);
for (const engine of engines) {
  for (const each of cases) {
    const profile = values.profile && join(values.profile, `${each.name}-${engine}.cpuprofile`);
    const result: Measured = { name: each.name, engine, ...(await measure(each, engine, profile)) };
    measured.push(result);
    console.log(rowOf(result));
  }
}
if (values.report !== undefined) writeFileSync(values.report, reportOf(measured, CASES));
process.exitCode = measured.every(isGood) ? 0 : 1;

async function measure(
  each: (typeof CASES)[number],
  engine: TestEngine,
  profile: string | undefined,
): Promise<Pick<Measured, "played" | "problem">> {
  const stage = await openStage(engine, { profile });
  try {
    return { played: await stage.play(each, "full", TIMING), problem: null };
  } catch (error) {
    return { played: null, problem: error instanceof Error ? error.message : String(error) };
  } finally {
    await stage.close();
  }
}

function engineOf(name: string): TestEngine {
  const engine = AVAILABLE_ENGINES.find((each) => each === name);
  if (engine === undefined)
    throw new Error(`no engine ${name}: there is ${AVAILABLE_ENGINES.join(", ")}`);
  return engine;
}

function caseOf(name: string): (typeof CASES)[number] {
  const found = CASES.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no case ${name}`);
  return found;
}
