import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdioTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { MAX_ANSWER_BYTES } from "agent-memory/internal";
import { describe, expect, onTestFinished, test } from "vitest";
import { forThisFile } from "../support/for-this-file.ts";
import { startTestService, type TestAccount } from "../support/service.ts";

const service = await forThisFile(
  startTestService({
    config: { rateLimit: true, corsOrigins: ["https://app.example.com"] },
  }),
);

const HOST = { name: "test", version: "1" };
const http = ({ key }: TestAccount) =>
  [
    new URL("/mcp", service.url),
    { requestInit: { headers: { authorization: `Bearer ${key}` } } },
  ] as const;
const program = ({ key }: TestAccount) => ({
  command: process.execPath,
  args: [join(import.meta.dirname, "../../packages/client/src/program/bin.ts"), "mcp"],
  env: { AGENT_MEMORY_URL: service.url, AGENT_MEMORY_KEY: key },
});
const ofRevision = (version: string) =>
  new Client(HOST, { versionNegotiation: { mode: { pin: version } } });

/** Hosts by the protocol's revision and the library that speaks it, over both transports. */
const HOSTS = {
  "HTTP, 2026-07-28": async (account: TestAccount) => {
    const client = ofRevision("2026-07-28");
    await client.connect(new StreamableHTTPClientTransport(...http(account)));
    return client;
  },
  "HTTP, 2025-11-25": async (account: TestAccount) => {
    const client = new Client(HOST);
    await client.connect(new StreamableHTTPClientTransport(...http(account)));
    return client;
  },
  "HTTP, the first library": async (account: TestAccount) => {
    const client = new FirstClient(HOST);
    await client.connect(new FirstHttpTransport(...http(account)));
    return client;
  },
  "standard input and output, 2026-07-28": async (account: TestAccount) => {
    const client = ofRevision("2026-07-28");
    await client.connect(new StdioClientTransport(program(account)));
    return client;
  },
  "standard input and output, the first library": async (account: TestAccount) => {
    const client = new FirstClient(HOST);
    await client.connect(new FirstStdioTransport(program(account)));
    return client;
  },
};

function textOf(content: CallToolResult["content"]): string {
  return content[0]?.type === "text" ? content[0].text : "";
}

async function connect(host: keyof typeof HOSTS = "HTTP, 2026-07-28") {
  const account = await service.createAccount();
  const client = await HOSTS[host](account);
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  const call = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
  const done = async (name: string, args: object) => {
    const { isError, content } = await call(name, args);
    expect(isError, JSON.stringify(content)).toBeFalsy();
    return JSON.parse(textOf(content));
  };
  return { account, client, tools, call, done };
}

describe.each(Object.keys(HOSTS) as (keyof typeof HOSTS)[])("MCP over %s", (host) => {
  test("an agent remembers, searches, asks, corrects and looks back", async () => {
    const { done, client } = await connect(host);
    expect(client.getInstructions()).toContain("search");
    const berlin = await done("remember", {
      content: "Alice lives in Berlin",
      valid_from: "2024-03-01T00:00:00Z",
    });
    const chat = await done("remember_conversation", {
      messages: [{ role: "user", content: "I am allergic to peanuts." }],
      session_id: "chat-1",
    });
    expect(chat).toMatchObject({ facts: [expect.any(String)], rejected: [] });

    const found = await done("search", { question: "Where does Alice live?" });
    expect(found.memories[0]).toMatchObject({
      id: berlin.id,
      fact: "Alice lives in Berlin",
      since: "2024-03-01T00:00:00.000000Z",
    });
    expect(found.memories[0].relevance).toBeGreaterThan(0);

    const answer = await done("ask", { question: "What is the user allergic to?" });
    expect(answer.answer).toContain("[mem-1]");
    expect(answer.citations[0].id).toBe(chat.ids[0]);

    await done("remember", { content: "On Sundays Alice feeds the otters" });
    const context = await done("context", { question: "What does Alice feed?" });
    expect(context.stable).toContain("Alice lives in Berlin");
    expect(context.relevant).toMatch(/\[mem-\d\] since \S+: On Sundays Alice feeds the otters\n/);
    expect((await done("profile", {})).text).toBe(context.stable);

    const munich = await done("remember", { content: "Alice lives in Munich" });
    await done("supersede", { memory_id: berlin.id, superseded_by: munich.id });
    const held = { question: "Where does Alice live?", as_of: "2024-06-01T00:00:00Z" };
    for (const [tool, more, expected] of [
      ["search", {}, [berlin.id]],
      ["ask", {}, [berlin.id]],
      ["list_memories", { question: undefined }, [berlin.id]],
      ["search", { topic: "Home" }, []],
      ["search", { metadata: { project: "apollo" } }, []],
      ["search", { known_at: "2020-01-01T00:00:00Z" }, []],
      ["ask", { session_id: "chat-1" }, []],
    ] as const) {
      const { memories, citations } = await done(tool, { ...held, ...more });
      expect((memories ?? citations).map(({ id }: { id: string }) => id)).toEqual(expected);
    }
    const { versions } = await done("timeline", { memory_id: munich.id });
    expect(versions.map(({ fact }: { fact: string }) => fact)).toEqual([
      "Alice lives in Berlin",
      "Alice lives in Munich",
    ]);
  });
});

/** Of what both ends of a transport do, whichever library speaks it. */
const TRANSPORTS = ["HTTP, 2026-07-28", "standard input and output, the first library"] as const;
describe.each(TRANSPORTS)("MCP over %s", (host) => {
  test("D37 tools: what makes an answer too long is left out of it, and it says so", async () => {
    const { account, call, done } = await connect(host);
    // Each character is six bytes in JSON.
    const long = (index: number) => `Alice lives in Berlin ${index} ${"\u0001".repeat(30_000)}`;
    const ids: string[] = [];
    for (let index = 0; index < 7; index++) {
      const body = { content: long(index), auto_supersede: false };
      ids.push((await account.rest("POST", "/agent/memories", { body })).body.memory_id);
    }
    const { content } = await call("search", { question: "Alice in Berlin" });
    expect(Buffer.byteLength(textOf(content))).toBeLessThan(MAX_ANSWER_BYTES + 1_000);
    const { notice, memories } = JSON.parse(textOf(content));
    expect(notice).toContain(`\`memories\` has the first ${memories.length} of 7`);
    expect(notice).toContain("Narrow the question");
    const one = await done("search", { question: "Alice in Berlin", limit: 1 });
    expect(one).not.toHaveProperty("notice");
    expect(one.memories).toHaveLength(1);
    // The next page would begin behind what was left out.
    const page = await done("list_memories", { limit: 6 });
    expect(page.notice).toContain("with a `limit` of no more than that");
    expect(page).not.toHaveProperty("next_page_token");
    const smaller = await done("list_memories", { limit: page.memories.length });
    expect(smaller).toHaveProperty("next_page_token");
    for (const id of ids.slice(1)) {
      const body = { superseded_by: ids[0] };
      await account.rest("POST", `/memories/${id}/supersede`, { body });
    }
    const cut = await done("timeline", { memory_id: ids[0] });
    expect(cut.versions.length).toBeLessThan(7);
    expect(cut.notice).toMatch(/`versions` has the first \d of \d.*\/timeline/);
  });

  test("D7 tools: an argument that a tool does not have is refused", async () => {
    const { account, tools, call } = await connect(host);
    const refused = { isError: true, content: [{ type: "text", text: expect.any(String) }] };
    for (const { name } of tools) {
      for (const unknown of ["tennant_id", "toString", "created_after"]) {
        const answer = await call(name, { content: "Alice lives in Rome", [unknown]: "x" });
        expect(answer).toMatchObject(refused);
      }
    }
    expect(await call("timeline", { memory_id: "x", tennant_id: "t" })).toMatchObject({
      content: [
        {
          text: '{"detail":"`tennant_id` is not a known parameter","reason":"invalid_field","field":"tennant_id"}',
        },
      ],
    });
    expect((await account.rest("GET", "/plan/status")).body.writes_used).toBe(0);
  });

  test("what is missing is told in the tool's own words", async () => {
    const { tools, call } = await connect(host);
    for (const { name, inputSchema } of tools) {
      const [field] = inputSchema.required ?? [];
      if (field === undefined) continue;
      const { isError, content } = await call(name, {});
      const detail = `\`${field}\` is required`;
      expect([isError, JSON.parse(textOf(content))]).toEqual([
        true,
        { detail, reason: "invalid_field", field },
      ]);
    }
  });

  test("what is wrong is told the model, with the field and the rule", async () => {
    const { call } = await connect(host);
    const id = "019a2f6e-4c1b-7d30-9a51-6f0e8b2c4d17";
    for (const [tool, args, reason, field] of [
      ["ask", { question: "" }, "invalid_field", "question"],
      ["ask", { question: 1 }, "invalid_field", "question"],
      ["timeline", { memory_id: "../plan/status" }, "invalid_field", "memory_id"],
      ["timeline", { memory_id: id }, "memory_not_found", "memory_id"],
    ] as const) {
      const { isError, content } = await call(tool, args);
      const told = JSON.parse(textOf(content));
      expect([isError, told.reason, told.field]).toEqual([true, reason, field]);
      // By which the operator finds what the service refused.
      if (args.question !== 1) expect(told.request_id).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test("D29: what was stored before the quota ended is told with the error", async () => {
    const { account, call } = await connect(host);
    await service.updateAccount(account.companyId, { writesLimit: 1 });
    const messages = ["I live in Rome.", "I am allergic to peanuts."].map((content) => {
      return { role: "user", content };
    });
    const { isError, content } = await call("remember_conversation", { messages });
    expect([isError, JSON.parse(textOf(content))]).toMatchObject([
      true,
      { reason: "write_quota_exceeded", facts: { length: 2 }, ids: [expect.any(String)] },
    ]);
  });
});

test("the tools say what they do to memories, and none deletes any", async () => {
  const { tools } = await connect();
  expect(tools.map(({ name }) => name)).toEqual([
    "remember",
    "remember_conversation",
    "search",
    "list_memories",
    "context",
    "profile",
    "ask",
    "supersede",
    "timeline",
  ]);
  const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint);
  expect(readOnly.map(({ name }) => name)).toEqual([
    "search",
    "list_memories",
    "context",
    "profile",
    "ask",
    "timeline",
  ]);
  for (const { annotations } of tools) expect(annotations?.destructiveHint).toBe(false);
});

test("answers are small: a model pays for each word", async () => {
  const { client, call, done } = await connect();
  expect(JSON.stringify(await client.listTools()).length).toBeLessThanOrEqual(12_000);
  for (let number = 1; number <= 10; number++) {
    await done("remember", { content: `Alice owns the boat number ${number}`, topic: "Boats" });
  }
  const question = "Which boats does Alice own?";
  const { content } = await call("search", { question });
  expect(JSON.parse(textOf(content)).memories).toHaveLength(10);
  expect(JSON.stringify(content).length).toBeLessThanOrEqual(2_500);
  await done("remember", { content: "Bob is allergic to peanuts" });
  const answer = await call("ask", { question: "What is Bob allergic to?" });
  expect(textOf(answer.content)).toContain("[mem-1]");
  expect(JSON.stringify(answer.content).length).toBeLessThanOrEqual(600);
});

function post(body: object, headers: Record<string, string>, path = "/mcp") {
  return fetch(new URL(path, service.url), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

test.each([
  ["of another site", "https://evil.example", 403],
  ["that is none", "null", 403],
  ["in CORS_ORIGINS", "https://app.example.com", 200],
  ["of the service itself", null, 200],
])("a page with an origin %s", async (_, origin, status) => {
  const { key } = await service.createAccount();
  const answer = await fetch(`${service.url}/mcp`, {
    method: "POST",
    headers: {
      origin: origin ?? service.url,
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
  });
  expect(answer.status).toBe(status);
  if (status === 403) expect(await answer.json()).toMatchObject({ reason: "origin_not_allowed" });
});

test("D7 tools: a parameter in the URL is refused, behind the key", async () => {
  const { key } = await service.createAccount();
  const path = "/mcp?tenant_id=t1";
  expect((await post(LIST, {}, path)).status).toBe(401);
  const answer = await post(LIST, { authorization: `Bearer ${key}` }, path);
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ detail: "`tenant_id` is not a known parameter" });
});

test("each message counts as a request of the key", async () => {
  const { companyId, key } = await service.createAccount();
  await service.updateAccount(companyId, { rate: 1, burst: 2 });
  const headers = { authorization: `Bearer ${key}` };
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) statuses.push((await post(LIST, headers)).status);
  expect(statuses.slice(0, 2)).toEqual([200, 200]);
  expect(statuses).toContain(429);
});

test.each([
  ["several messages in one body", [LIST, LIST], 400],
  ["a body that is no message", { hello: "world" }, 400],
  ["a body of too many values", { ...LIST, params: { list: Array(60_000).fill(0) } }, 422],
])("%s is refused", async (_, body, status) => {
  const { key } = await service.createAccount();
  expect((await post(body, { authorization: `Bearer ${key}` })).status).toBe(status);
});

test("a subscription is refused: no answer is a stream", async () => {
  const { key } = await service.createAccount();
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": HOST,
  };
  const listen = { jsonrpc: "2.0", id: 1, method: "subscriptions/listen" };
  const answer = await post(
    { ...listen, params: { _meta: meta, notifications: { toolsListChanged: true } } },
    {
      authorization: `Bearer ${key}`,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": listen.method,
    },
  );
  expect(await answer.text()).toContain("Subscription limit reached");
});

test.each(["GET", "DELETE"])("%s is not allowed: there are no sessions", async (method) => {
  const answer = await fetch(new URL("/mcp", service.url), { method });
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe("POST");
});
