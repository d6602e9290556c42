/**
 * Breaks the judgement of the service in one respect after the other and tells whether the
 * bars of the labelled set notice: `npm run quality:mutants [-- PART OF A NAME]`. Ends with 1
 * where one survives.
 */
import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Mutant, mutatedTree } from "../../support/mutants.ts";
import { MUTANTS } from "./mutants.ts";

const PARTS = [
  "src",
  "gen",
  "packages",
  "test",
  "package.json",
  "package-lock.json",
  "vitest.config.ts",
];

/** Changes nothing: what fails under it says nothing of the others. */
const NONE: Mutant = {
  name: "Nothing is broken",
  file: "package.json",
  from: '"name": "agent-memory"',
  to: '"name": "agent-memory"',
};
const BARS = "test/programs/quality/quality.test.ts";

const [part = ""] = process.argv.slice(2);
const failedUnbroken = await failedBars(NONE);
if (failedUnbroken.length > 0) {
  console.error(`the bars are not reached: ${failedUnbroken.join("; ")}`);
  process.exit(2);
}
for (const mutant of MUTANTS.filter(({ name }) => name.includes(part))) {
  const failed = await failedBars(mutant);
  console.log(`${mutant.name}: ${failed.length === 0 ? "SURVIVED" : failed.join("; ")}`);
  if (failed.length === 0) process.exitCode = 1;
}

/** The names of the bars that the mutated service does not reach. */
async function failedBars(mutant: Mutant): Promise<string[]> {
  const root = await mutatedTree(mutant, PARTS);
  try {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const report = join(root, "report.json");
    const run = [vitest, "run", BARS, "--reporter=json", `--outputFile=${report}`];
    // It ends with 1 where a bar is missed, and reports the same.
    await promisify(execFile)(process.execPath, run, { cwd: root }).catch(() => {});
    const { testResults }: Report = JSON.parse(await readFile(report, "utf8"));
    return testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName),
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}
