/**
 * How many files of ours a warm call over REST passes. A budget only shrinks: whoever needs
 * fewer files sets it lower. `npm run call-files -- --list` names the files.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { PROJECT_ROOT } from "./support/project-root.ts";

/** By call; the names are those of `COUNTED_CALLS`. */
const BUDGETS: Readonly<Record<string, number>> = {
  "plan status": 35,
  "list of 10": 43,
  // Five more since memories are read for what the question asks, and of whom.
  search: 62,
  "content write": 63,
  // One more on a busy machine, where the check of stated facts gives way to other work.
  "messages write with a chat model": 94,
};

/** As Node.js runs them: what Vitest makes of a file runs more of it. */
const PROGRAM = join(PROJECT_ROOT, "test/programs/call-files/run.ts");

let files: Readonly<Record<string, readonly string[]>>;
beforeAll(async () => {
  // On the embedded database, which shares the process.
  const env = { ...process.env, TEST_DATABASE_URL: undefined };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, "--json"], { env });
  files = JSON.parse(stdout);
});

test("each counted call has a budget", () => {
  expect(Object.keys(files)).toEqual(Object.keys(BUDGETS));
});

test.each(Object.entries(BUDGETS))(
  "a call passes no more files than its budget: %s",
  (name, budget) => {
    const passed = files[name] ?? [];
    expect(passed.length).toBeGreaterThan(0);
    expect(passed.length, passed.join("\n")).toBeLessThanOrEqual(budget);
  },
);
