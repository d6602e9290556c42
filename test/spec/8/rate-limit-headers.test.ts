/** What a key learns of its rate, whatever it asks and by whichever protocol (D30). */
import { createClient } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { expect, test } from "vitest";
import { PlanService } from "../../../gen/agentmemory/v1/plan_service_pb.ts";
import type { TestAccount } from "../../support/service.ts";
import { expectFailure, expectOk, expectRetryAfter, write } from "../calls.ts";
import { useSpec } from "../spec.ts";
import { conversation } from "./quota.ts";

const spec = useSpec({ rateLimit: true });

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

test("D30 headers: who has no key is told nothing", async () => {
  const answer = await fetch(`${spec.service.url}/plan/status`);
  expect(answer.status).toBe(401);
  expect(told(answer.headers)).toEqual([null, null]);
});
