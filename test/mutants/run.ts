/**
 * Breaks the service in one line after the other and tells whether the tests notice:
 *
 *   npm run mutants -- [--part NAME] [--files GLOB] [--all] [--report FILE]
 *
 * `--part`: of one part of the list. `--files`: of the source files that match. `--all`: held
 * against the whole suite instead of the tests that the list names. `--report`: a file that gets
 * the table of the part. Ends with 1 where a mutant survives, and with 2 where a mutant does not
 * apply, cannot be loaded, or the tests fail without one.
 */
import { spawn } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, matchesGlob } from "node:path";
import { parseArgs } from "node:util";
import { applyMutant, copiedTree } from "../support/mutants.ts";
import { PROJECT_ROOT } from "../support/project-root.ts";
import { type LineMutant, readLineMutants } from "./mutants.ts";

/** At the top of the project; no test needs them, or they are linked. */
const NOT_COPIED = [".git", "node_modules", "dist"];
/** What breaks the service so that no test ends is noticed too. */
const RUN_TIMEOUT_MS = 10 * 60 * 1000;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const { values: options } = parseArgs({
  options: {
    part: { type: "string" },
    files: { type: "string" },
    all: { type: "boolean", default: false },
    report: { type: "string" },
  },
});
const mutants = readLineMutants().filter(
  ({ part, file }) =>
    (options.part === undefined || part === options.part) &&
    (options.files === undefined || matchesGlob(file, options.files)),
);
const top = await readdir(PROJECT_ROOT);
const root = await copiedTree(top.filter((name) => !NOT_COPIED.includes(name)));
try {
  process.exitCode = await tryAll(mutants);
} catch (error) {
  console.error(error);
  process.exitCode = 2;
} finally {
  await rm(root, { recursive: true, force: true });
}

async function tryAll(all: readonly LineMutant[]): Promise<number> {
  for (const mutant of all) {
    const undo = await applyMutant(root, mutant);
    await undo();
  }
  const unbroken = await firstFailure(testsOf(...all));
  if (unbroken !== null) {
    console.error(`without a mutant this fails: ${unbroken}`);
    return 2;
  }
  const rows: string[] = [];
  let survived = 0;
  for (const mutant of all) {
    const undo = await applyMutant(root, mutant);
    const failure = await firstFailure(testsOf(mutant)).finally(undo);
    if (failure === null) survived++;
    console.log(`${mutant.part}: ${mutant.name}: ${failure ?? "SURVIVED"}`);
    rows.push(`| ${mutant.part} | ${mutant.name} | ${failure === null ? "**no**" : "yes"} |`);
  }
  console.log(`${all.length - survived} killed, ${survived} survived`);
  if (options.report !== undefined) {
    const head = ["| part | guarantee that a mutant breaks | noticed |", "|---|---|---|"];
    await writeFile(options.report, `${[...head, ...rows].join("\n")}\n`);
  }
  return survived === 0 ? 0 : 1;
}

function testsOf(...some: readonly LineMutant[]): string[] {
  return options.all ? [] : [...new Set(some.flatMap(({ tests }) => tests))];
}

/**
 * The first test that fails in the tree as it is now; null: none does. Throws where a file of tests
 * cannot be loaded: that a program does not even start shows nothing of its tests.
 */
async function firstFailure(tests: readonly string[]): Promise<string | null> {
  const path = join(root, "report.json");
  await rm(path, { force: true });
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const run = ["run", ...tests, "--bail=1", "--maxWorkers=1", "--reporter=json"];
  const child = spawn(process.execPath, [vitest, ...run, `--outputFile=${path}`], {
    cwd: root,
    stdio: "ignore",
    env: { ...process.env, TEST_DATABASE_URL: undefined },
    timeout: RUN_TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  await new Promise((resolve) => child.once("close", resolve));
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return "the tests did not end";
  const { testResults }: Report = JSON.parse(text);
  for (const { name, status, assertionResults } of testResults) {
    const failed = assertionResults.find((each) => each.status === "failed");
    if (failed !== undefined) return failed.fullName;
    if (status === "failed") {
      throw new Error(`${name.replace(`${root}/`, "")} cannot be loaded: the mutant is no program`);
    }
  }
  return null;
}
