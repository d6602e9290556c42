/** What an OpenTelemetry collector gets of the calls of a service. */
import { randomBytes } from "node:crypto";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, test, vi } from "vitest";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import packageJson from "../../package.json" with { type: "json" };
import { requestFields } from "../../src/edge/observed-calls.ts";
import { createLog } from "../../src/log.ts";
import {
  choiceOf,
  startFakeVendor,
  talkativeModel,
  VENDOR_KEYS,
} from "../providers/service/vendors.ts";
import { asksWhatIsStated } from "../support/checked-facts.ts";
import type { FakePrompt } from "../support/fake-upstream.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { embedExamples } from "../support/models.ts";
import { type ReceivedSpan, startOtlpCollector } from "../support/otlp-collector.ts";
import { startTestService } from "../support/service.ts";
import { COLLECTOR_HEADERS, tracingTo } from "./tracing-to.ts";

const TENANT = "tenant-of-the-traces";
const SECRET = "Wilhelmina";
/** A trace that a caller began. */
function newTrace(flags = "01") {
  const traceId = randomBytes(16).toString("hex");
  const spanId = randomBytes(8).toString("hex");
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}

/** As `talkativeModel`, and with one fact that its message does not state. */
function doubtfulModel(prompt: FakePrompt): string {
  const { schema, user } = prompt;
  if (asksWhatIsStated(schema)) return JSON.stringify({ not_said: [1] });
  if (schema?.properties.facts === undefined || !user.includes("Statoil")) {
    return talkativeModel(prompt);
  }
  const quote = "I work at Statoil.";
  const fact = { message: 0, quote, fact: "Priya works at Equinor", topic: "Work", importance: 5 };
  return JSON.stringify({ facts: [fact] });
}

const logged: string[] = [];

/** Every call of these tests, each in a trace of its own. */
const traces = {
  write: newTrace(),
  ask: newTrace(),
  converse: newTrace(),
  supersede: newTrace(),
  connect: newTrace(),
  mcp: newTrace(),
  refused: newTrace(),
  failing: newTrace(),
  stranger: newTrace(),
  unsampled: newTrace("00"),
};

const vendor = await forThisFile(startFakeVendor("openai"));
vendor.chat = doubtfulModel;
const collector = await forThisFile(startOtlpCollector());
const models = choiceOf("openai", vendor, {
  chat: { provider: "openai", model: "chat-1" },
  embeddings: { provider: "openai", model: "embedding-1", dimensions: 768 },
});
const log = createLog("info", { write: (line: string) => void logged.push(line) }, requestFields);
const service = await startTestService({
  config: { models, tracing: tracingTo(collector.origin) },
  log,
});
await embedExamples(service);
const account = await service.createAccount();
const { key, rest } = account;
const post = (path: string, trace: keyof typeof traces, body: object) =>
  rest("POST", path, { body: { tenant_id: TENANT, ...body }, headers: traces[trace].headers });
const authorization = `Bearer ${key}`;
await post("/agent/memories", "unsampled", { content: `${SECRET} lives in Oslo` });
const written = await post("/agent/memories", "write", {
  content: `${SECRET} lives in Bergen`,
  auto_supersede: true,
});
await rest("POST", "/agent/query", {
  body: { tenant_id: TENANT, question: `Where does ${SECRET} live?` },
  headers: { ...traces.ask.headers, tracestate: "vendor=opaque" },
});
await post("/agent/memories", "converse", {
  messages: [{ role: "user", content: "I work at Statoil." }],
  auto_supersede: false,
});
const grpc = createClient(MemoryService, createGrpcTransport({ baseUrl: service.url }));
await grpc.supersedeMemory(
  { memoryId: written.body.memory_id, validTo: { seconds: 4_000_000_000n, nanos: 0 } },
  { headers: { authorization, ...traces.supersede.headers } },
);
const connect = createClient(
  MemoryService,
  createConnectTransport({ baseUrl: service.url, httpVersion: "2" }),
);
await connect.listMemories({}, { headers: { authorization, ...traces.connect.headers } });
await fetch(`${service.url}/mcp`, {
  method: "POST",
  headers: {
    authorization,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...traces.mcp.headers,
  },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "search", arguments: { question: "What?" } },
  }),
});
await post("/agent/query", "refused", { question: "" });
await fetch(`${service.url}/plan/status`, { headers: traces.stranger.headers });
await rest("GET", "/plan/status");
vendor.always("unauthorized");
await post("/agent/query", "failing", { question: "Who?" });
// The last one: with it all have come.
const hasCome = () => spansOf("failing").some(({ kind }) => kind === "server");
await vi.waitUntil(hasCome, { timeout: 60_000 });
await service.close();

function spansOf(name: keyof typeof traces): ReceivedSpan[] {
  return collector.spans.filter(({ traceId }) => traceId === traces[name].traceId);
}

function rootOf(name: keyof typeof traces): ReceivedSpan {
  const roots = spansOf(name).filter(({ kind }) => kind === "server");
  expect(roots).toHaveLength(1);
  return roots[0] as ReceivedSpan;
}

/** The names of the pieces of a call, in the order in which they began. */
function piecesOf(name: keyof typeof traces): string[] {
  const root = rootOf(name);
  return spansOf(name)
    .filter(({ parentSpanId }) => parentSpanId === root.spanId)
    .toSorted((a, b) => Number(a.startNs - b.startNs))
    .map((span) => span.name);
}

function pieceOf(name: keyof typeof traces, piece: string): ReceivedSpan {
  const found = spansOf(name).find((span) => span.name === piece);
  if (found === undefined) throw new Error(`no ${piece} in ${piecesOf(name)}`);
  return found;
}

const CHAT = {
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "openai",
  "gen_ai.request.model": "chat-1",
  "gen_ai.usage.input_tokens": 110,
  "gen_ai.usage.output_tokens": 25,
};
const EMBEDDINGS = {
  "gen_ai.operation.name": "embeddings",
  "gen_ai.provider.name": "openai",
  "gen_ai.request.model": "embedding-1",
  "gen_ai.usage.input_tokens": 8,
};

test("it comes as OTLP in protobuf, with the headers of the operator", () => {
  expect(collector.requests).not.toEqual([]);
  for (const { path, headers } of collector.requests) {
    expect(path).toBe("/v1/traces");
    expect(headers).toMatchObject({
      "content-type": "application/x-protobuf",
      ...COLLECTOR_HEADERS,
    });
  }
});

test("each span says which service it is of", () => {
  for (const { resource } of collector.spans) {
    expect(resource).toMatchObject({
      "service.name": "memories",
      "service.version": packageJson.version,
      "deployment.environment.name": "test",
    });
  }
});

describe("a call is a span of the server, by the conventions for RPCs", () => {
  test.each([
    ["ask", "QueryMemories", "rest", "OK", { "http.response.status_code": 200 }],
    ["supersede", "SupersedeMemory", "grpc", "OK", {}],
    ["connect", "ListMemories", "connectrpc", undefined, {}],
    ["refused", "QueryMemories", "rest", "INVALID_ARGUMENT", { "http.response.status_code": 422 }],
  ] as const)("%s", (trace, method, system, status, more) => {
    const rpc = `agentmemory.v1.MemoryService/${method}`;
    const root = rootOf(trace);
    expect(root).toMatchObject({
      name: rpc,
      parentSpanId: traces[trace].spanId,
      isError: false,
      attributes: { "rpc.method": rpc, "rpc.system.name": system, ...more },
    });
    expect(root.attributes["rpc.response.status_code"]).toBe(status);
    expect(root.attributes).not.toHaveProperty("error.type");
  });

  test("which keeps what the caller's tracing system said", () => {
    expect(rootOf("ask").traceState).toBe("vendor=opaque");
  });

  test("over MCP it has the pieces of what its tool does", () => {
    expect(rootOf("mcp")).toMatchObject({ name: "mcp", attributes: { "rpc.system.name": "mcp" } });
    expect(piecesOf("mcp")).toEqual(["gate", "embed", "retrieve"]);
  });

  test("without a caller's trace it begins one", () => {
    const roots = collector.spans.filter(({ name }) => name.endsWith("/GetPlanStatus"));
    expect(roots).toMatchObject([{ parentSpanId: "", kind: "server" }]);
  });

  test("that fails for a reason of the service's says which, and nothing more", () => {
    for (const span of [rootOf("failing"), pieceOf("failing", "embed")]) {
      expect(span).toMatchObject({
        isError: true,
        statusMessage: "",
        attributes: { "error.type": "model_unavailable" },
      });
    }
  });

  test("is in the log by its trace", () => {
    const line = logged.find((each) => each.includes(traces.ask.traceId)) ?? "";
    expect(JSON.parse(line)).toMatchObject({ msg: "call", trace_id: traces.ask.traceId });
    expect(
      logged.filter((each) => !("trace_id" in JSON.parse(each)) && each.includes('"call"')),
    ).toEqual([]);
  });
});

describe("what a call consists of", () => {
  test.each([
    ["write", ["gate", "embed", "classify", "write"]],
    ["ask", ["gate", "embed", "retrieve", "answer"]],
    ["converse", ["gate", "extract", "verify", "write"]],
    ["supersede", ["gate", "write"]],
    ["refused", ["gate"]],
  ] as const)("%s", (trace, pieces) => {
    expect(piecesOf(trace)).toEqual(pieces);
  });

  test("calls of models follow the conventions for generative AI", () => {
    expect(pieceOf("write", "embed")).toMatchObject({ kind: "client", attributes: EMBEDDINGS });
    for (const [trace, piece] of [
      ["write", "classify"],
      ["ask", "answer"],
      ["converse", "extract"],
      ["converse", "verify"],
    ] as const) {
      expect(pieceOf(trace, piece)).toMatchObject({ kind: "client", attributes: CHAT });
    }
  });

  test("a search tells how much it looked at and found", () => {
    expect(pieceOf("ask", "retrieve")).toMatchObject({
      kind: "internal",
      attributes: { "agent_memory.memories.scanned": 1, "agent_memory.memories.returned": 1 },
    });
  });
});

describe("there is nothing", () => {
  test("of strangers, who may be very many, and of a call that its caller does not trace", () => {
    expect([...spansOf("stranger"), ...spansOf("unsampled")]).toEqual([]);
  });

  test("of text, tenants, accounts and keys", () => {
    const texts = [SECRET, "Statoil", "Bergen", TENANT, account.companyId, account.apiKeyId];
    for (const text of [...texts, account.key, VENDOR_KEYS.openai]) {
      expect(collector.contains(text), text).toBe(false);
    }
    expect(collector.contains("embedding-1")).toBe(true);
  });
});
