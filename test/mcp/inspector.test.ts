/**
 * The official Inspector's command line lists the tools in both eras and over both transports, and
 * calls each tool in one of these ways. Each look is two processes.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect } from "vitest";
import { PROJECT_ROOT } from "../support/project-root.ts";
import type { TestAccount } from "../support/service.ts";
import { PROCESS_VARIABLES } from "../support/service-process.ts";
import { serviceTest } from "../support/shared-service.ts";

const INSPECTOR = join(
  PROJECT_ROOT,
  "node_modules/.cache/mcp-inspector/node_modules/@modelcontextprotocol/inspector",
  "clients/launcher/build/index.js",
);
const PROGRAM = join(PROJECT_ROOT, "packages/client/src/program/bin.ts");

const run = promisify(execFile);

/** `modern`: the revision of 2026-07-28; `legacy`: those before it. */
const ERAS = ["modern", "legacy"] as const;
/** What a process compiled, the next one need not. */
const COMPILE_CACHE = ["-e", `NODE_COMPILE_CACHE=${PROCESS_VARIABLES.NODE_COMPILE_CACHE}`];
const TRANSPORTS = {
  http: (url: string, { key }: TestAccount) => [
    `${url}/mcp`,
    ...["--transport", "http", "--header", `Authorization: Bearer ${key}`],
  ],
  stdio: (url: string, { key }: TestAccount) => [
    ...[process.execPath, PROGRAM, "mcp", "--transport", "stdio"],
    ...["-e", `AGENT_MEMORY_URL=${url}`, "-e", `AGENT_MEMORY_KEY=${key}`, ...COMPILE_CACHE],
  ],
};

describe
  .skipIf(!existsSync(INSPECTOR))
  .for(
    ERAS.flatMap((era, i) =>
      (["http", "stdio"] as const).map((transport, j) => [era, transport, 2 * i + j] as const),
    ),
  )(
  "the Inspector, %s, over %s (`.ci/install-tool mcp-inspector` has it)",
  ([era, transport, quarter]) => {
    serviceTest("lists the tools and calls a quarter", async ({ sharedService: service }) => {
      const account = await service.createAccount();
      const inspect = async (method: string, ...options: string[]) => {
        const target = TRANSPORTS[transport](service.url, account);
        const to = ["--cli", ...target, "--protocol-era", era, "--stored-auth-only"];
        const all = [...to, "--quiet", "--method", method, ...options];
        const env = { ...process.env, ...PROCESS_VARIABLES };
        const { stdout } = await run(process.execPath, [INSPECTOR, ...all], { env });
        return JSON.parse(stdout);
      };
      const call = async (name: string, args: object) => {
        const named = ["--tool-name", name, "--tool-args-json", JSON.stringify(args)];
        const { isError, content } = await inspect("tools/call", ...named);
        expect(isError, JSON.stringify(content)).toBeFalsy();
        return JSON.parse(content[0].text);
      };
      const stored = await account.rest("POST", "/agent/memories", {
        body: { content: "I am here" },
      });
      const { memory_id } = stored.body;
      const question = "Where does Alice live?";
      const calls: Record<string, object> = {
        remember: { content: "Alice plays chess" },
        remember_conversation: { messages: [{ role: "user", content: "I like tea." }] },
        search: { question },
        list_memories: {},
        context: { question },
        profile: {},
        ask: { question },
        supersede: { memory_id, valid_to: new Date().toISOString() },
        timeline: { memory_id },
      };
      const { tools } = await inspect("tools/list");
      expect(tools.map(({ name }: { name: string }) => name)).toEqual(Object.keys(calls));
      const every = Object.entries(calls).filter((_, place) => place % 4 === quarter);
      for (const [name, args] of every) await call(name, args);
    });
  },
);
