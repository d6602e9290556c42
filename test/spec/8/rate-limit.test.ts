/** How many requests a key may make (D30). */
import { gzipSync } from "node:zlib";
import { createClient } from "@connectrpc/connect";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { expect, test } from "vitest";
import { PlanService } from "../../../gen/agentmemory/v1/plan_service_pb.ts";
import { operationsOf, readDocument } from "../../support/openapi-document.ts";
import type { TestAccount } from "../../support/service.ts";
import {
  eventually,
  expectFailure,
  expectOk,
  expectRetryAfter,
  memoryOf,
  remember,
  supersede,
  write,
} from "../calls.ts";
import { useSpec } from "../spec.ts";
import { conversation } from "./quota.ts";

const spec = useSpec({ rateLimit: true });

test("8 limit rate limit, D30: each key has its burst, then 429 until it has refilled", async () => {
  const one = await spec.service.createAccount({ rate: 0.001, burst: 3 });
  const other = await spec.service.createKey(one.companyId);
  for (const caller of [one, other]) {
    for (let i = 0; i < 3; i++) expectOk(await caller.rest("GET", "/plan/status"));
    const refused = await caller.rest("GET", "/plan/status");
    expectFailure(refused, 429, "rate_limited");
    expect(expectRetryAfter(refused)).toBeGreaterThan(900);
  }
});

test("8 limit rate limit: on all endpoints, and before anything is done", async () => {
  const caller = await spec.service.createAccount({ rate: 0.001, burst: 1 });
  // The one request of this key; then nothing is left.
  const id = await remember(caller);
  for (const { method, path } of operationsOf(readDocument())) {
    const answer = await caller.rest(method.toUpperCase(), path.replace("{memory_id}", id));
    expectFailure(answer, 429, "rate_limited");
  }
  const again = await spec.service.createKey(caller.companyId);
  expect((await memoryOf(again, id)).temporal.is_current).toBe(true);
});

/** Requests of one token that a key may make now; `caller` gets nothing back meanwhile. */
async function lightRequestsLeft(caller: TestAccount): Promise<number> {
  for (let count = 0; ; count++) {
    const { status } = await caller.rest("GET", "/plan/status");
    if (status === 429) return count;
  }
}

const LARGE = JSON.stringify({
  messages: [{ role: "nobody", content: "x".repeat(3 * 65_536) }],
});

test.each<[string, string, (body: string) => RequestInit]>([
  ["REST", "/agent/memories", (body) => ({ body })],
  ["Connect", "/agentmemory.v1.MemoryService/CreateMemories", (body) => ({ body })],
  [
    "Connect, compressed",
    "/agentmemory.v1.MemoryService/CreateMemories",
    (body) => ({ body: gzipSync(body), headers: { "content-encoding": "gzip" } }),
  ],
  [
    "a stream of Connect, compressed",
    "/agentmemory.v1.MemoryService/StreamQueryMemories",
    (body) => ({
      body: encodeEnvelope(1, gzipSync(body)),
      headers: {
        "content-type": "application/connect+json",
        "connect-content-encoding": "gzip",
      },
    }),
  ],
])("D30: a large body counts as several requests, over %s", async (_, path, form) => {
  const caller = await spec.service.createAccount({ rate: 1e-6, burst: 10 });
  const { body, headers } = form(LARGE);
  const { status } = await fetch(spec.service.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${caller.key}`,
      "content-type": "application/json",
      ...headers,
    },
    body,
  });
  expect(status).not.toBe(429);
  expect(await lightRequestsLeft(caller)).toBe(10 - 4);
});

test("D33: a supersession that changes nothing counts as ten requests under each new key", async () => {
  const owner = await spec.service.createAccount();
  const [old, by] = [await remember(owner), await remember(owner)];
  expectOk(await supersede(owner, old, { superseded_by: by }));
  await spec.service.updateAccount(owner.companyId, { rate: 1e-6, burst: 15 });
  const caller = await spec.service.createKey(owner.companyId);
  const again = (key: string) =>
    caller.rest("POST", `/memories/${old}/supersede`, {
      body: { superseded_by: by },
      headers: { "idempotency-key": key },
    });
  expectOk(await again("one"));
  // The same key again has the response that was kept.
  expectOk(await again("one"));
  expect(await lightRequestsLeft(caller)).toBe(15 - 10 - 1);
});

test("8 limit rate limit: a refused request does not lengthen the wait", async () => {
  const caller = await spec.service.createAccount({ rate: 20, burst: 1 });
  expectOk(await caller.rest("GET", "/plan/status"));
  await eventually(async () => (await caller.rest("GET", "/plan/status")).status).toBe(200);
});

const told = (headers: Headers) => [headers.get("ratelimit-policy"), headers.get("ratelimit")];

type Ask = (caller: TestAccount) => Promise<Headers>;

const OVER_RPC = {
  gRPC: () => createGrpcTransport({ baseUrl: spec.service.url }),
  "gRPC-Web": () => createGrpcWebTransport({ baseUrl: spec.service.url, httpVersion: "1.1" }),
  Connect: () => createConnectTransport({ baseUrl: spec.service.url, httpVersion: "1.1" }),
};

const ASKS: readonly (readonly [string, Ask])[] = [
  ["REST", async ({ rest }) => (await rest("GET", "/plan/status")).headers],
  ...Object.entries(OVER_RPC).map(([name, transport]): [string, Ask] => [
    name,
    async ({ key }) => {
      let headers = new Headers();
      const onHeader = (header: Headers) => {
        headers = header;
      };
      const client = createClient(PlanService, transport());
      await client
        .getPlanStatus({}, { headers: { authorization: `Bearer ${key}` }, onHeader })
        .catch(({ metadata }) => onHeader(metadata));
      return headers;
    },
  ]),
  [
    "MCP",
    async ({ key }) => {
      const { headers } = await fetch(`${spec.service.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
      return headers;
    },
  ],
];

test.each(ASKS.map(([name, ask]) => [`D30 headers: answers by ${name} tell them`, ask] as const))(
  "%s",
  async (_, ask) => {
    const caller = await spec.service.createAccount({ rate: 0.001, burst: 3 });
    // The one that follows comes after 1,000 seconds, less those that the test has taken.
    const expected = (left: number) => [
      '"default";q=3;w=3000',
      expect.stringMatching(new RegExp(`^"default";r=${left};t=(?:1000|9\\d\\d)$`)),
    ];
    for (const left of [2, 1, 0, 0]) expect(told(await ask(caller))).toEqual(expected(left));
  },
);

test("D30 headers: on failures too, and of a refusal the time is Retry-After", async () => {
  const caller = await spec.service.createAccount({ rate: 0.01, burst: 2 });
  const invalid = await caller.rest("POST", "/agent/query", { body: { question: "" } });
  expectFailure(invalid, 422, "invalid_field");
  expect(told(invalid.headers)[1]).toMatch(/^"default";r=1;t=\d+$/);
  expectOk(await caller.rest("GET", "/plan/status"));
  const refused = await caller.rest("GET", "/plan/status");
  expectFailure(refused, 429, "rate_limited");
  expect(told(refused.headers)[1]).toBe(`"default";r=0;t=${expectRetryAfter(refused)}`);
});

test("D30 headers: what is heavy about a request is told with its answer", async () => {
  const owner = await spec.service.createAccount();
  expectOk(await write(owner, conversation(spec, 251)));
  await spec.service.updateAccount(owner.companyId, { rate: 0.001, burst: 10 });
  const reader = await spec.service.createKey(owner.companyId);
  const listed = await reader.rest("GET", "/agent/memories", { query: { limit: "251" } });
  expect(told(listed.headers)[1]).toMatch(/^"default";r=8;/);
  const large = { content: "x".repeat(65_536), padding: "x".repeat(65_536) };
  const refused = await reader.rest("POST", "/agent/memories", { body: large });
  expect(told(refused.headers)[1]).toMatch(/^"default";r=5;/);
});
