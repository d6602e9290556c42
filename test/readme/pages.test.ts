/** The commands of the pages do what the pages say. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startServiceProcess } from "../support/service-process.ts";
import { serviceTest } from "../support/shared-service.ts";
import { type PlayedStep, patternOf, play, stepsOf } from "./console-session.ts";

const README_URL = "http://127.0.0.1:8080";

function expectAsTold(steps: readonly PlayedStep[]): void {
  for (const { command, output, printed } of steps) {
    expect(printed.trim(), command).toMatch(patternOf(output));
  }
}

serviceTest("how a fact lives, from its first write to its erasure", async ({ sharedService }) => {
  const { key } = await sharedService.createAccount();
  const steps = stepsOf("docs/how-a-fact-lives.md");
  expect(steps.length).toBeGreaterThan(20);
  expectAsTold(await play(steps, { URL: sharedService.url, KEY: key }));
});

test("the README's first commands print what it says", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agent-memory-readme-"));
  const service = await startServiceProcess({ DATA_DIR: folder });
  onTestFinished(async () => {
    await service.end("SIGTERM");
    rmSync(folder, { recursive: true });
  });
  const [start, ...calls] = stepsOf("README.md", "Start");
  const here = (text: string) => text.replaceAll(README_URL, service.url);
  expect(start?.command).toBe("npm ci && npm start");
  expect(service.output().trim()).toMatch(patternOf(here(start?.output ?? "")));
  expect(calls).toHaveLength(2);
  const typed = calls.map(({ command, output }) => ({ command: here(command), output }));
  expectAsTold(await play(typed, { KEY: service.printedKey ?? "" }));
});
