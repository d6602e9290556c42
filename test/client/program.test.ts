/** `npx agent-memory`: checks of a memory, and the hooks of a coding agent, as processes of their own. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readGoldenFile } from "../../packages/client/src/program/golden-file.ts";
import { list, remember } from "../spec/calls.ts";
import { PROJECT_ROOT } from "../support/project-root.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { PROCESS_VARIABLES } from "../support/service-process.ts";
import { serviceTest } from "../support/shared-service.ts";

const PROGRAM = join(PROJECT_ROOT, "packages/client/src/program/bin.ts");

let service: TestService;
let account: TestAccount;
let folder: string;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "agent-memory-program-"));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  account = await service.createAccount();
});

const environment = (more: NodeJS.ProcessEnv = {}) => ({
  ...PROCESS_VARIABLES,
  AGENT_MEMORY_URL: service.url,
  AGENT_MEMORY_KEY: account.key,
  ...more,
});

describe("check", () => {
  async function check(lines: readonly (object | "")[], ...options: string[]) {
    const file = join(folder, "golden.jsonl");
    await writeFile(file, lines.map((line) => line && JSON.stringify(line)).join("\n"));
    return new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
      const args = [PROGRAM, "check", file, ...options];
      execFile(process.execPath, args, { env: environment() }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, out, err }),
      );
    });
  }

  test("says which answers are not as the file wants them, and why", async () => {
    const berlin = await remember(account, "Alice lives in Berlin", {
      valid_from: "2024-03-01T00:00:00Z",
    });
    await remember(account, "Zoë likes Café Einstein", { tenant_id: "t" });
    const junit = join(folder, "report.xml");
    const question = "Where does Alice live?";
    const { code, out, err } = await check(
      [
        { question, must_mention: "berlin", must_not_mention: ["Munich"], evidence: [berlin] },
        { question: "What does Zoë like?", tenant_id: "t", must_mention: [["tea", "cafe"]] },
        { question, as_of: "2023-01-01T00:00:00Z", must_not_mention: "Berlin" },
        "",
        { question, must_mention: ["Rome", ["Oslo", "Bergen"]], must_not_mention: "Berlin" },
        { question, evidence: ["in Paris"] },
      ],
      "--junit",
      junit,
    );
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out.trimEnd().split("\n")).toEqual([
      `line 5: ${question}`,
      '  does not mention "Rome"',
      '  does not mention "Oslo" or "Bergen"',
      '  must not mention "Berlin"',
      "  answered: Alice lives in Berlin.",
      `line 6: ${question}`,
      '  does not cite "in Paris"',
      "  answered: Alice lives in Berlin.",
      "3 passed, 2 failed",
    ]);
    const report = await readFile(junit, "utf8");
    expect(report).toContain('tests="5" failures="2"');
    expect(report.match(/<failure message="does not /g)).toHaveLength(2);
    expect(await check([{ question, must_mention: "Berlin" }])).toMatchObject({ code: 0 });
  });

  test.each<[string, object | string, string]>([
    ["no JSON", "{", "must be a JSON object"],
    ["no question", { must_mention: "x" }, "`question` must be a text"],
    ["an unknown field", { question: "Who?", mentions: "x" }, "`mentions` is not a known field"],
    ["a wrong time", { question: "Who?", as_of: "May" }, "`as_of` must be a time"],
    [
      "too many texts",
      { question: "Who?", evidence: Array(51).fill("x") },
      "`evidence` must be a text or a list of at most 50 texts",
    ],
    ["a number", { question: "Who?", must_mention: [4] }, "`must_mention` must be a text"],
  ])("a line with %s is named", async (_, line, why) => {
    const file = join(folder, "wrong.jsonl");
    const text = typeof line === "string" ? line : JSON.stringify(line);
    await writeFile(file, `{"question":"Who?"}\n${text}`);
    await expect(readGoldenFile(file)).rejects.toThrow(`line 2: ${why}`);
  });
});

describe("the plugin of a coding agent", () => {
  /** As the host runs a hook: its command in a shell, with the event on standard input. */
  async function run(
    event: Record<string, unknown>,
    more?: NodeJS.ProcessEnv,
    written = JSON.stringify(event),
  ) {
    const { hooks } = JSON.parse(
      await readFile(join(PROJECT_ROOT, "packages/client/plugin/hooks/hooks.json"), "utf8"),
    );
    const [
      {
        hooks: [hook],
      },
    ] = hooks[String(event.hook_event_name)];
    const command = hook.command.replace(/^agent-memory /, `'${process.execPath}' '${PROGRAM}' `);
    expect(command).not.toBe(hook.command);
    const child = spawn("sh", ["-c", command], { env: environment(more) });
    child.stdin.end(written);
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { code, out, err };
  }

  const entry = (type: string, content: unknown, more = {}) =>
    JSON.stringify({ type, message: { role: type, content }, ...more });

  async function transcript(...lines: string[]): Promise<string> {
    const path = join(folder, "transcript.jsonl");
    await writeFile(path, `${lines.join("\n")}\n`);
    return path;
  }

  test("what was said in a turn is told when a session starts, and what a prompt needs with it", async () => {
    const path = await transcript(
      entry("user", "I live in Rome."),
      entry("assistant", [{ type: "text", text: "Nice." }]),
      JSON.stringify({ type: "summary", summary: "x" }),
      entry("user", "Read the notes. I am allergic to peanuts.", { uuid: "u2" }),
      entry("assistant", [{ type: "tool_use", name: "Read", input: {} }]),
      entry("user", [{ type: "tool_result", content: "I own a yacht." }]),
      entry("user", "I am a robot.", { isMeta: true }),
      entry("assistant", [{ type: "text", text: "Noted." }]),
      '{"type":"assistant","message":{"role":"assi',
    );
    const stopped = { hook_event_name: "Stop", session_id: "s1", transcript_path: path };
    expect(await run(stopped, { AGENT_MEMORY_TENANT: "repo" })).toEqual({
      code: 0,
      out: "",
      err: "",
    });
    const { memories } = await list(account, { tenant_id: "repo", session_id: "s1" });
    expect(memories.map(({ decision }: { decision: string }) => decision)).toEqual([
      expect.stringContaining("peanuts"),
    ]);
    await remember(account, "Every deploy waits for otter, the server", { tenant_id: "repo" });
    const prompt = "What does a deploy wait for?";
    const asked = { hook_event_name: "UserPromptSubmit", session_id: "s2", prompt };
    const told = await run(asked, { AGENT_MEMORY_TENANT: "repo" });
    expect(told.code).toBe(0);
    const { hookSpecificOutput } = JSON.parse(told.out);
    expect(hookSpecificOutput.hookEventName).toBe("UserPromptSubmit");
    expect(hookSpecificOutput.additionalContext).toMatch(/\[mem-1\] .*otter/);
    // The profile was told when the session began.
    expect(hookSpecificOutput.additionalContext).not.toContain("peanuts");
    const begun = { hook_event_name: "SessionStart", session_id: "s2", source: "startup" };
    const profile = await run(begun, { AGENT_MEMORY_TENANT: "repo" });
    expect(JSON.parse(profile.out).hookSpecificOutput.additionalContext).toContain("peanuts");
  });

  const allergic = entry("user", "I am allergic to peanuts.");
  const yacht = "I own a yacht.";
  test.each<[string, string[]]>([
    [
      "a long output of a tool",
      [allergic, entry("user", [{ type: "tool_result", content: "x".repeat(1_200_000) }])],
    ],
    ["600 answers", [allergic, ...Array<string>(600).fill(entry("assistant", "Still reading."))]],
    ["a summary by the host", [allergic, entry("user", yacht, { isCompactSummary: true })]],
    [
      "an interruption",
      [
        ...[entry("user", yacht), entry("assistant", "Noted."), allergic],
        ...[entry("user", [{ type: "text", text: "[Request interrupted by user]" }])],
        entry("user", "Read the notes first."),
      ],
    ],
    [
      "what the host adds",
      [
        entry("user", yacht),
        entry("user", `<system-reminder>${yacht}</system-reminder>I am allergic to peanuts.`),
        entry("user", `<system-reminder>\n${yacht}\n</system-reminder>`),
      ],
    ],
  ])("a turn with %s is captured with the user's words, and no others", async (_, lines) => {
    const path = await transcript(...lines);
    const done = await run({ hook_event_name: "Stop", session_id: "s1", transcript_path: path });
    expect(done).toEqual({ code: 0, out: "", err: "" });
    const { memories } = await list(account);
    expect(memories.map(({ decision }: { decision: string }) => decision)).toEqual([
      expect.stringContaining("peanuts"),
    ]);
  });

  test("each half is switched off by itself, and a turn is captured once", async () => {
    const path = await transcript(entry("user", "I am allergic to peanuts."));
    const stopped = { hook_event_name: "Stop", session_id: "s1", transcript_path: path };
    await run(stopped, { AGENT_MEMORY_CAPTURE: "off" });
    await run({ ...stopped, stop_hook_active: true });
    expect((await list(account)).memories).toEqual([]);
    await run(stopped);
    expect((await list(account)).memories).toHaveLength(1);
    const asked = { hook_event_name: "UserPromptSubmit", prompt: "Allergies?" };
    expect((await run(asked, { AGENT_MEMORY_RECALL: "off" })).out).toBe("");
  });

  test.each<[string, Record<string, unknown>, NodeJS.ProcessEnv, string]>([
    [
      "a service that is not there",
      { hook_event_name: "UserPromptSubmit", prompt: "Who?" },
      { AGENT_MEMORY_URL: "http://127.0.0.1:9" },
      "could not be reached",
    ],
    ["no key", { hook_event_name: "SessionStart" }, { AGENT_MEMORY_KEY: "" }, "AGENT_MEMORY_KEY"],
    ["no URL", { hook_event_name: "SessionStart" }, { AGENT_MEMORY_URL: "x" }, "URL must be a URL"],
    [
      "a number of tokens that is none",
      { hook_event_name: "SessionStart" },
      { AGENT_MEMORY_RECALL_TOKENS: "many" },
      "AGENT_MEMORY_RECALL_TOKENS must be a number",
    ],
    [
      "an event that is too long",
      { hook_event_name: "UserPromptSubmit", prompt: "x".repeat(1024 * 1024) },
      {},
      "the event must be JSON of at most 1 MiB",
    ],
    [
      "no transcript",
      { hook_event_name: "Stop", transcript_path: "/tmp/agent-memory/none" },
      {},
      "ENOENT",
    ],
  ])("%s stops no agent, and is told in a line", async (_, event, more, why) => {
    const { code, out, err } = await run(event, more);
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(err).toContain(why);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });

  test("an event that is no JSON stops no agent, and is told in a line", async () => {
    const begun = { hook_event_name: "SessionStart" };
    const err = "agent-memory: the event must be JSON of at most 1 MiB\n";
    expect(await run(begun, {}, "{not json")).toEqual({ code: 0, out: "", err });
  });
});
