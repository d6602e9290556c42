// Sums the JSON reports of test runs, given as arguments, into the last line of the
// output: "N passed, N failed", and ", N skipped" where some were.
//
// Fails when a test failed, when a run has no report or ran no test, and when a test
// file ran in no run at all: a suite that silently stopped running protects nothing.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";

const total = { passed: 0, failed: 0, skipped: 0 };
/** Whether a test of the file ran, by the file's path. */
const ran = new Map();
const problems = [];

for (const path of process.argv.slice(2)) {
  if (!existsSync(path)) {
    problems.push(`the run that writes ${path} did not finish`);
    continue;
  }
  let ranInThisRun = 0;
  for (const file of JSON.parse(readFileSync(path, "utf8")).testResults) {
    const of = (...statuses) =>
      file.assertionResults.filter(({ status }) => statuses.includes(status)).length;
    const passed = of("passed");
    // A file that can't be loaded fails without a test that does.
    const failed = Math.max(of("failed"), file.status === "failed" ? 1 : 0);
    const name = relative(process.cwd(), file.name);
    for (const { fullName, status, failureMessages } of file.assertionResults) {
      if (failureMessages.length === 0) continue;
      const verdict = status === "passed" ? "FLAKY, passed when tried again" : "FAILED";
      console.log(`${verdict}: ${name}: ${fullName}\n${failureMessages[0]}`);
    }
    // What a file or a hook says fails no test of its own.
    if (failed > of("failed")) console.log(`FAILED: ${name}\n${file.message}`);
    total.passed += passed;
    total.failed += failed;
    total.skipped += file.assertionResults.length - passed - of("failed");
    ran.set(file.name, (ran.get(file.name) ?? false) || passed + failed > 0);
    ranInThisRun += passed + failed;
  }
  if (ranInThisRun === 0) problems.push(`the run that wrote ${path} ran no test`);
}
for (const [file, didRun] of ran) {
  if (!didRun) problems.push(`${relative(process.cwd(), file)} ran no test in any run`);
}

for (const problem of problems) console.log(`FAILED: ${problem}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 || problems.length > 0 ? 1 : 0;
