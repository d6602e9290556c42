import { expect, test } from "vitest";
import { createLog } from "../src/log.ts";

function loggedBy(level: "info" | "silent", fields: object): string {
  const lines: string[] = [];
  createLog(level, { write: (line: string) => void lines.push(line) }).info(fields, "a message");
  return lines.join("");
}

test.each([
  ["a header", { req: { headers: { authorization: "hunter2" } } }],
  ["a proxy's header", { headers: { "proxy-authorization": "hunter2" } }],
  ["a field of its own", { api_key: "hunter2" }],
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
