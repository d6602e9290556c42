/** How many requests a key may make (D30). */
import { gzipSync } from "node:zlib";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { expect, test } from "vitest";
import { PLAN_TIERS } from "../../../src/domain/plan.ts";
import type { TestAccount } from "../../support/service.ts";
import {
  eventually,
  expectFailure,
  expectOk,
  expectRetryAfter,
  list,
  memoryOf,
  remember,
  write,
} from "../calls.ts";
import { rawRequest } from "../raw-http.ts";
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
  for (const [method, path] of [
    ["POST", "/agent/memories"],
    ["GET", "/agent/memories"],
    ["DELETE", "/agent/memories"],
    ["POST", "/agent/query"],
    ["GET", "/agent/settings"],
    ["PATCH", "/agent/settings"],
    ["GET", "/plan/status"],
    ["POST", `/memories/${id}/supersede`],
    ["GET", `/memories/${id}/timeline`],
    ["GET", `/memories/${id}/audit`],
  ] as const) {
    expectFailure(await caller.rest(method, path), 429, "rate_limited");
  }
  const again = await spec.service.createKey(caller.companyId);
  expect((await memoryOf(again, id)).temporal.is_current).toBe(true);
});

test.each([
  ["8 limit rate limit, D30: starter, 10 a second with bursts of 40", "starter", 10, 40],
  ["8 limit rate limit, D30: pro, 50 a second with bursts of 200", "pro", 50, 200],
] as const)("%s", async (_, planTier, rate, burst) => {
  expect(PLAN_TIERS[planTier].rate).toBe(rate);
  // The bucket refills while it is emptied; so slowly that it does not count.
  const caller = await spec.service.createAccount({ planTier, rate: 1e-6 });
  const statuses = await Promise.all(
    Array.from({ length: burst + 5 }, () =>
      rawRequest(spec.service.url, "GET", "/plan/status", {
        headers: { authorization: `Bearer ${caller.key}` },
      }).then(({ status }) => status),
    ),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(burst);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
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

test("D30: a long list counts as several requests, and is answered", async () => {
  const owner = await spec.service.createAccount();
  expectOk(await write(owner, conversation(spec, 251)));
  const { updateAccount, createKey } = spec.service;
  await updateAccount(owner.companyId, { rate: 1e-6, burst: 4 });
  const [short, long] = [await createKey(owner.companyId), await createKey(owner.companyId)];
  expect((await list(short, { limit: "250" })).count).toBe(250);
  expect(await lightRequestsLeft(short)).toBe(3);
  expect((await list(long, { limit: "251" })).count).toBe(251);
  expect(await lightRequestsLeft(long)).toBe(2);
});

test("8 limit rate limit: a refused request does not lengthen the wait", async () => {
  const caller = await spec.service.createAccount({ rate: 20, burst: 1 });
  expectOk(await caller.rest("GET", "/plan/status"));
  await eventually(async () => (await caller.rest("GET", "/plan/status")).status).toBe(200);
});
