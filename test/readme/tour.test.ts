import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

let service: TestService;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
});

/** The commands of the tour, but for the first block, which says where and with which key. */
function tourCommands(): string[] {
  const readme = readFileSync(`${project}/README.md`, "utf8");
  const tour = readme.split("## Five-minute tour")[1]?.split("\n## ")[0] ?? "";
  return [...tour.matchAll(/```sh\n([\s\S]*?)```/g)].slice(1).map(([, block]) => block ?? "");
}

test("every command of the README's tour does what it says", async () => {
  const { key } = await service.createAccount();
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", tourCommands().join("\n")], {
    cwd: project,
    env: { ...process.env, URL: service.url, KEY: key },
  });
  // It says what each of them prints, and no more is printed.
  const told = tourCommands().flatMap((block) => block.match(/(?<=^# ).*$/gm) ?? []);
  expect(told.length).toBeGreaterThan(12);
  expect(stdout.trim().split("\n")).toEqual(told);
});
