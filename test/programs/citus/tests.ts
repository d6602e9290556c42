import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../support/project-root.ts";
import { table } from "./figures.ts";
import type { Part } from "./part.ts";

/** Of the project's tests those that are about what a database is asked. */
export const TEST_FOLDERS: readonly string[] = [
  "test/storage",
  "test/spec",
  "test/grpc",
  "test/admin",
  "test/cli/",
  "test/dashboard",
  "test/shadow-and-restore",
  "test/reembed",
  "test/transfer",
  "test/backup",
  "test/faults",
  "test/fuzz",
  "test/programs/histories",
];

interface Result {
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

/** The project's own tests, each database of theirs distributed when it is made. */
export async function tests(folders: readonly string[]): Promise<Part> {
  const folder = await mkdtemp(join(tmpdir(), "agent-memory-citus-"));
  const rows: (string | number)[][] = [];
  const problems: string[] = [];
  for (const path of folders) {
    const output = join(folder, "report.json");
    const start = performance.now();
    const child = spawn(
      join(PROJECT_ROOT, ".ci/with-citus"),
      ["npx", "vitest", "run", path, "--retry=1", "--reporter=json", `--outputFile=${output}`],
      { cwd: PROJECT_ROOT, stdio: "ignore" },
    );
    await once(child, "close");
    const text = await readFile(output, "utf8").catch(() => '{"testResults":[]}');
    await rm(output, { force: true });
    const results: readonly Result[] = JSON.parse(text).testResults;
    const all = results.flatMap(({ assertionResults }) => assertionResults);
    const count = (status: string) => all.filter((each) => each.status === status).length;
    const [passed, failed] = [count("passed"), count("failed")];
    const seconds = (performance.now() - start) / 1_000;
    rows.push([`\`${path}\``, passed, failed, all.length - passed - failed, seconds.toFixed(0)]);
    if (passed === 0) problems.push(`${path}: no test ran`);
    for (const { fullName } of all.filter(({ status }) => status === "failed")) {
      problems.push(`${path}: ${fullName.trim()}`);
    }
  }
  await rm(folder, { recursive: true });
  return {
    name: "The project's tests",
    text: [
      "Each folder by `.ci/with-citus npm test -- FOLDER --retry=1`. Left out are tests of plans and of what one server alone does.",
      table(["Folder", "Passed", "Failed", "Left out", "Seconds"], rows),
    ],
    problems,
  };
}
