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
  const answers = [
    '"status":"saved"',
    '"extracted":["The user\'s name is Alice","Alice is allergic to peanuts"',
    "allergic to peanuts. [mem-1]",
    'event: text\ndata: {"text":"Alice works at Siemens. [mem-1]"}',
    "event: answer",
    '"skipped_reason":null',
    '"answer":"Alice lives in Munich',
    '"status":"superseded"',
    '"chain_length":3',
    '"decision":"Alice lives in Berlin"',
    '"event":"superseded"',
    '"answer": "Alice lives in Oslo',
    '"status":"deleted"',
  ];
  let position = 0;
  for (const answer of answers) {
    expect(stdout.slice(position)).toContain(answer);
    position = stdout.indexOf(answer, position) + answer.length;
  }
  expect(stdout).not.toContain('"detail":"');
}, 60_000);
