/** Keys that are well formed and unknown, which anyone can make: what they cost others. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { formatApiKey } from "../../src/domain/api-key.ts";
import { SECOND } from "../../src/domain/instant.ts";
import { MAX_REFUSALS_AT_ONCE, REFUSALS_PER_SECOND } from "../../src/service/caller-cache.ts";
import { expectFailure, expectOk, expectRetryAfter } from "../spec/calls.ts";
import { rawRequest } from "../spec/raw-http.ts";
import { forThisFile } from "../support/for-this-file.ts";
import type { RestAnswer } from "../support/rest-client.ts";
import { startTestService } from "../support/service.ts";

let nowMs = 0;
const service = await forThisFile(
  startTestService({ config: { trustProxy: true }, monotonicMs: () => nowMs }),
);

const madeUpKey = () => formatApiKey(randomBytes(32));

/** A request that the proxy says came from the address. */
function ask(key: string, forwardedFor: string): Promise<RestAnswer> {
  const headers = { authorization: `Bearer ${key}`, "x-forwarded-for": forwardedFor };
  return rawRequest(service.url, "GET", "/plan/status", { headers });
}

async function refuse(address: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    expectFailure(await ask(madeUpKey(), address), 401, "unauthenticated");
  }
}

test("a made-up key reaches the database once, however often it comes and from wherever", async () => {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    const key = madeUpKey();
    for (const address of ["192.0.2.1", "192.0.2.1", "192.0.2.2"]) {
      expectFailure(await ask(key, address), 401, "unauthenticated");
      service.clock.advance(SECOND);
    }
    const texts = query.mock.calls.map(([statement]) => JSON.stringify(statement));
    expect(texts.filter((text) => /from \W*api_keys/.test(text))).toHaveLength(1);
  } finally {
    query.mockRestore();
  }
});

test("past the limit of an address its unknown keys are refused without a look-up, and known ones work", async () => {
  const address = "198.51.100.1";
  const [known, fresh] = [await service.createAccount(), await service.createAccount()];
  expectOk(await ask(known.key, address));
  await refuse(address, MAX_REFUSALS_AT_ONCE);
  service.clock.advance(SECOND);

  const query = vi.spyOn(pg.Client.prototype, "query");
  const refused = await ask(madeUpKey(), address);
  const texts = query.mock.calls.map(([statement]) => JSON.stringify(statement));
  expect(texts.filter((text) => /from \W*api_keys/.test(text))).toEqual([]);
  query.mockRestore();
  expectFailure(refused, 429, "too_many_refusals");
  expect(expectRetryAfter(refused)).toBe(1);
  const rpc = await rawRequest(service.url, "POST", "/agentmemory.v1.PlanService/GetPlanStatus", {
    headers: {
      authorization: `Bearer ${madeUpKey()}`,
      "x-forwarded-for": address,
      "content-type": "application/json",
    },
    body: "{}",
  });
  expect(rpc).toMatchObject({ status: 429, body: { code: "resource_exhausted" } });
  // What costs no look-up is told what is wrong with it.
  expectFailure(await ask("svc_none", address), 401, "unauthenticated");

  expectOk(await ask(known.key, address));
  expectFailure(await ask(fresh.key, address), 429, "too_many_refusals");
  expectOk(await ask(fresh.key, "198.51.100.2"));
  const newest = await service.createAccount();
  nowMs += 1_000 / REFUSALS_PER_SECOND;
  expectOk(await ask(newest.key, address));
});

test("what a client writes before the proxy's word does not count, nor where it is in its network", async () => {
  const client = "2001:db8:0:1::";
  for (let i = 0; i < MAX_REFUSALS_AT_ONCE; i++) {
    const answer = await ask(madeUpKey(), `203.0.113.${i}, ${client}${i + 1}`);
    expectFailure(answer, 401, "unauthenticated");
  }
  expectFailure(await ask(madeUpKey(), `203.0.113.200, ${client}ffff`), 429, "too_many_refusals");
  expectFailure(await ask(madeUpKey(), `${client}1, 2001:db8:0:2::1`), 401, "unauthenticated");
});
