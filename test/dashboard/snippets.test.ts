/** The lines that come with a key work as they are pasted. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { SNIPPETS } from "@agent-memory/dashboard/snippets";
import { describe, expect } from "vitest";
import type { TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

const run = promisify(execFile);

/** The program that runs a snippet, and what it takes before its text. */
const PROGRAMS = [
  ["curl", "bash", ["-c"]],
  ["Python", "python3", ["-c"]],
  ["TypeScript", process.execPath, ["--input-type=module-typescript", "-e"]],
] as const;

async function snippetOf(name: string, service: TestService): Promise<string> {
  const { key } = await service.createAccount();
  return SNIPPETS.find((snippet) => snippet.name === name)?.textOf(service.url, key) ?? "";
}

const isMissing = (error: unknown) =>
  error instanceof Error && "code" in error && [127, "ENOENT"].includes(error.code as string);

describe("the lines that come with a key", () => {
  serviceTest.for(PROGRAMS)("%s", async ([name, program, args], { sharedService, skip }) => {
    const text = await snippetOf(name, sharedService);
    try {
      const { stdout } = await run(program, [...args, text]);
      expect(stdout).toContain("peanuts");
    } catch (error) {
      // A machine need not have every language.
      skip(isMissing(error), `${program}, or what it calls, is missing`);
      throw error;
    }
  });

  serviceTest("MCP", async ({ sharedService }) => {
    const { mcpServers } = JSON.parse(await snippetOf("MCP", sharedService));
    const { url, headers } = mcpServers.memory;
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        ...headers,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
    expect(await answer.json()).toMatchObject({
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: "remember" })]) },
    });
  });
});
