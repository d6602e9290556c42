import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLog } from "../src/log.ts";

function loggedBy(level: "info" | "silent", fields: object): string {
  const lines: string[] = [];
  createLog(level, { write: (line: string) => void lines.push(line) }).info(fields, "a message");
  return lines.join("");
}

test.each([
  ["a header", { req: { headers: { authorization: "hunter2" } } }],
  ["a caller's model", { body: { llm: { provider: "hunter2", api_key: "hunter2" } } }],
  ["a field four levels down", { call: { request: { body: { api_key: "hunter2" } } } }],
])("a credential in %s is never logged", (_where, fields) => {
  const line = loggedBy("info", fields);
  expect(line).toContain("[redacted]");
  expect(line).not.toContain("hunter2");
});

test("other fields and an error's stack are logged", () => {
  const line = JSON.parse(loggedBy("info", { port: 8080, err: new Error("no space left") }));
  expect(line).toMatchObject({ msg: "a message", port: 8080, err: { message: "no space left" } });
  expect(line.err.stack).toContain("log.test.ts");
});

test("nothing below the level is logged", () => {
  expect(loggedBy("silent", { port: 8080 })).toBe("");
});

const CODE = `
import { createLog } from ${JSON.stringify(join(import.meta.dirname, "../src/log.ts"))};
const log = createLog("info");
for (let i = 0; i < 500; i++) log.info({ i }, "a line");
`;

test.each([
  ["ends by itself", ""],
  ["is ended", "process.exit(3);"],
  ["fails", 'throw new Error("not caught");'],
])("every line is written when the process %s", (_how, end) => {
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", CODE + end], {
    encoding: "utf8",
  });
  const lines = stdout.trimEnd().split("\n");
  // What was on its way may come behind what still waited.
  const numbers = lines.map((line): number => JSON.parse(line).i).toSorted((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 500 }, (_, i) => i));
});

test.each([
  ["a line", "info"],
  ["an error, at once,", "error"],
] as const)("%s is written while the process goes on", async (_what, level) => {
  const stay = `log.${level}({}, "the last"); setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", CODE + stay], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let written = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    written += chunk;
    if (written.includes("the last")) break;
  }
  child.kill("SIGKILL");
  expect(written.trimEnd().split("\n")).toHaveLength(501);
});
