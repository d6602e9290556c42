/** Who has no key, or left, is no defect of the service: no warning, and the right code. */
import { request as http1Request } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { beforeEach, describe, expect, test } from "vitest";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { Health } from "../../gen/grpc/health/v1/health_pb.ts";
import { requestFields } from "../../src/edge/observed-calls.ts";
import { createLog } from "../../src/log.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { startTestService } from "../support/service.ts";

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly code?: string;
  readonly reason?: string;
  readonly protocol?: string;
}

const INFO = 30;
let lines: Line[] = [];
/** Resolves when a question has reached the model, which never answers. */
let aheadMs = 0;
let asked = Promise.withResolvers<void>();
const write = (line: string) => void lines.push(JSON.parse(line));
const service = await forThisFile(
  startTestService({
    log: createLog("debug", { write }, requestFields),
    monotonicMs: () => performance.now() + aheadMs,
    models: {
      answerer: {
        answer: (_, { signal }) =>
          new Promise((_resolve, reject) => {
            asked.resolve();
            signal.addEventListener("abort", () => reject(signal.reason));
          }),
      },
    },
  }),
);
const account = await service.createAccount();
const authorization = `Bearer ${account.key}`;
await account.rest("POST", "/agent/memories", { body: { content: "Ada lives in Paris" } });
beforeEach(() => {
  lines = [];
  asked = Promise.withResolvers();
});

/** The line of the one call, when it is written; no line is above `info`, and none says `internal`. */
async function callLine(): Promise<Line> {
  const calls = () => lines.filter(({ msg }) => msg === "call");
  await expect.poll(calls).toHaveLength(1);
  expect(lines.filter(({ level }) => level > INFO)).toEqual([]);
  const { adminPort } = service;
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  expect(metrics.split("\n").filter((line) => line.includes('reason="internal"'))).toEqual([]);
  return calls()[0] as Line;
}

const TRANSPORTS: Readonly<Record<string, (baseUrl: string) => Transport>> = {
  grpc: (baseUrl) => createGrpcTransport({ baseUrl }),
  "grpc-web": (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
  connect: (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" }),
};

describe.each(Object.entries(TRANSPORTS))("over %s", (protocol, transport) => {
  test("one who watches the health and leaves is canceled", async () => {
    const left = new AbortController();
    const watched = createClient(Health, transport(service.url)).watch({}, { signal: left.signal });
    const read = async () => {
      for await (const _ of watched) left.abort();
    };
    await expect(read()).rejects.toThrow();
    expect(await callLine()).toMatchObject({ protocol, code: "canceled" });
  });

  test.each(["queryMemories", "streamQueryMemories"] as const)(
    "a caller of %s who left is canceled",
    async (rpc) => {
      const left = new AbortController();
      const memories = createClient(MemoryService, transport(service.url));
      const options = { headers: { authorization }, signal: left.signal };
      const call = async () => {
        const answer = memories[rpc]({ question: "Where does Ada live?" }, options);
        if (Symbol.asyncIterator in answer) for await (const _ of answer);
        else await answer;
      };
      const failed = expect(call()).rejects.toThrow();
      await asked.promise;
      left.abort();
      await failed;
      expect(await callLine()).toMatchObject({ protocol, code: "canceled" });
    },
  );
});

const QUESTION = JSON.stringify({ question: "Where does Ada live?" });
const JSON_TYPE = { "content-type": "application/json" };
const RPC = "/agentmemory.v1.MemoryService";
const TOOL = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "ask", arguments: { question: "Where does Ada live?" } },
});
const MCP = { ...JSON_TYPE, accept: "application/json, text/event-stream" };

test("a wrong key has a line once a minute for its address, with how many there were", async () => {
  const present = async () => {
    const headers = { authorization: `Bearer ${account.key}x` };
    await (await fetch(`${service.url}/plan/status`, { headers })).text();
  };
  const told = () => lines.filter((line) => line.level === INFO && line.reason !== undefined);
  // Whatever this address was told of before.
  aheadMs += 60_000;
  for (let count = 0; count < 3; count++) await present();
  await expect.poll(() => lines.filter(({ msg }) => msg === "call")).toHaveLength(3);
  expect(told()).toMatchObject([{ reason: "unauthenticated", address: "127.0.0.1" }]);
  expect(told()[0]).toHaveProperty("request_id");
  aheadMs += 60_000;
  await present();
  await expect.poll(told).toHaveLength(2);
  expect(told()[1]).toMatchObject({ refused: 3 });
});

describe("whose connection breaks", () => {
  test.each([
    ["rest", "/agent/query", JSON_TYPE, QUESTION],
    ["rest", "/agent/query", { ...JSON_TYPE, accept: "text/event-stream" }, QUESTION],
    ["connect", `${RPC}/QueryMemories`, JSON_TYPE, QUESTION],
    ["mcp", "/mcp", MCP, TOOL],
  ])("while %s answers at %s", async (protocol, path, headers, body) => {
    const call = http1Request(service.url + path, {
      method: "POST",
      headers: { ...headers, authorization },
    });
    call.on("error", () => {}).end(body);
    await asked.promise;
    call.destroy();
    expect(await callLine()).toMatchObject({ protocol, code: "canceled" });
  });

  const LINES = { "content-type": "application/x-ndjson" };
  const GRPC = { "content-type": "application/grpc", te: "trailers" };
  const FORMAT = '{"format":"agent-memory","version":1}\n';
  test.each([
    ["rest", "/agent/memories", JSON_TYPE, '{"content":'],
    ["connect", `${RPC}/CreateMemories`, JSON_TYPE, '{"content":'],
    [
      "grpc-web",
      `${RPC}/CreateMemories`,
      { "content-type": "application/grpc-web" },
      "\0\0\0\0\u0009\n",
    ],
    ["mcp", "/mcp", MCP, '{"jsonrpc":'],
    ["rest", "/agent/import", LINES, `${FORMAT}{"id":"01890000-0000-7000-8000-0000000000`],
    ["grpc", `${RPC}/ImportMemories`, GRPC, "\0\0\0\0\u0009\n"],
    ["grpc", `${RPC}/CreateMemories`, GRPC, "\0\0\0\0\u0009\n"],
  ])("in the body of %s %s", async (protocol, path, headers, body) => {
    const { promise: sent, resolve } = Promise.withResolvers<void>();
    if (protocol === "grpc") {
      const session = connectHttp2(service.url).on("error", () => {});
      const stream = session.request({
        ":method": "POST",
        ":path": path,
        authorization,
        ...headers,
      });
      stream.on("error", () => {}).write(body, () => setTimeout(resolve, 100));
      await sent;
      session.destroy();
    } else {
      const call = http1Request(service.url + path, {
        method: "POST",
        headers: { ...headers, authorization, "transfer-encoding": "chunked" },
      });
      call.on("error", () => {}).write(body, () => setTimeout(resolve, 100));
      await sent;
      call.destroy();
    }
    expect(await callLine()).toMatchObject({ protocol, code: "canceled" });
  });
});
