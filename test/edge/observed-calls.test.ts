import { randomBytes } from "node:crypto";
import { Code, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { beforeEach, describe, expect, test } from "vitest";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { formatApiKey } from "../../src/domain/api-key.ts";
import { requestFields } from "../../src/edge/observed-calls.ts";
import { createLog } from "../../src/log.ts";
import type { Answerer } from "../../src/providers/answerer.ts";
import { citeAnswer } from "../support/cite-answer.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { startTestService } from "../support/service.ts";

let lines: string[] = [];
let answering: Answerer["answer"];
const log = createLog("info", { write: (line: string) => void lines.push(line) }, requestFields);
const answer: Answerer["answer"] = (...asked) => answering(...asked);
const service = await forThisFile(startTestService({ log, models: { answerer: { answer } } }));
const account = await service.createAccount();
const authorization = `Bearer ${account.key}`;
beforeEach(() => {
  lines = [];
});

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

function get(path: string, headers: Record<string, string> = {}) {
  return fetch(`${service.url}${path}`, { headers: { authorization, ...headers } });
}

/** The line of the one call, once it is written. */
async function callLine(): Promise<Record<string, unknown>> {
  await expect.poll(() => lines.filter((line) => line.includes('"msg":"call"'))).toHaveLength(1);
  return JSON.parse(lines.find((line) => line.includes('"msg":"call"')) ?? "");
}

describe("the ID of a request", () => {
  test.each([
    ["that it brought", { "x-request-id": "req_1:a/b" }, "req_1:a/b"],
    ["of its trace", { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` }, TRACE],
    [
      "that it brought, though it has a trace",
      { "x-request-id": "mine", traceparent: `00-${TRACE}-00f067aa0ba902b7-01` },
      "mine",
    ],
  ])("is the one %s", async (_, headers, expected) => {
    const { headers: answered } = await get("/plan/status", headers);
    expect(answered.get("x-request-id")).toBe(expected);
    expect(await callLine()).toMatchObject({ request_id: expected });
  });

  test.each([
    ["none", {}],
    ["one too long", { "x-request-id": "x".repeat(129) }],
    ["one with signs that a log could mistake", { "x-request-id": 'a"b' }],
    ["what is an API key", { "x-request-id": formatApiKey(randomBytes(32)) }],
    ["an empty trace", { traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01` }],
  ])("is made where the request brought %s", async (_, headers: Record<string, string>) => {
    const { headers: answered } = await get("/plan/status", headers);
    expect(answered.get("x-request-id")).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
  });
});

describe("a call's line in the log", () => {
  test("says what was called, by whom and how it ended, and no text", async () => {
    await account.rest("POST", "/agent/memories", { body: { content: "a secret fact" } });
    const line = await callLine();
    expect(line).toMatchObject({
      rpc: "agentmemory.v1.MemoryService/CreateMemories",
      protocol: "rest",
      status: 200,
      code: "ok",
      account: account.companyId,
      key_id: account.apiKeyId,
      bytes: JSON.stringify({ content: "a secret fact" }).length,
      ms: expect.any(Number),
    });
    expect(lines.join("")).not.toContain("secret");
    expect(lines.join("")).not.toContain(account.key);
  });

  test("has the code of an error over every protocol", async () => {
    await account.rest("POST", "/agent/query", { body: { question: "" } });
    expect(await callLine()).toMatchObject({
      protocol: "rest",
      status: 422,
      code: "invalid_argument",
    });
    lines = [];
    const client = createClient(MemoryService, createGrpcTransport({ baseUrl: service.url }));
    await expect(
      client.queryMemories({ question: "" }, { headers: { authorization } }),
    ).rejects.toMatchObject({ code: Code.InvalidArgument });
    expect(await callLine()).toMatchObject({
      protocol: "grpc",
      status: 200,
      code: "invalid_argument",
    });
  });

  test.each<[how: string, code: string, answer: Answerer["answer"]]>([
    ["to its end", "ok", async () => citeAnswer("In Paris [mem-1].", 1)],
    ["to an error in the middle", "internal", async () => Promise.reject(new Error("a defect"))],
    [
      "until its client leaves",
      "canceled",
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    ],
  ])("is of a whole stream: %s", async (_, code, answer) => {
    answering = answer;
    await account.rest("POST", "/agent/memories", { body: { content: "Ada lives in Paris" } });
    await callLine();
    lines = [];
    const left = new AbortController();
    const answered = await fetch(`${service.url}/agent/query`, {
      method: "POST",
      headers: {
        authorization,
        "content-type": "application/json",
        accept: "text/event-stream",
        "x-request-id": "mine",
      },
      body: JSON.stringify({ question: "Where does Ada live?" }),
      signal: left.signal,
    });
    expect(answered.headers.get("x-request-id")).toBe("mine");
    if (code === "canceled") left.abort();
    else await answered.text();
    expect(await callLine()).toMatchObject({
      rpc: "agentmemory.v1.MemoryService/StreamQueryMemories",
      protocol: "rest",
      status: code === "canceled" ? 499 : 200,
      code,
      request_id: "mine",
    });
    const defects = lines
      .filter((line) => line.includes("a defect"))
      .map((line) => JSON.parse(line));
    const told = { request_id: "mine", method: "StreamQueryMemories" };
    expect(defects).toMatchObject(code === "internal" ? [told] : []);
  });
});
