/** How many requests a key may make (D30). */
import { describe, expect, test } from "vitest";
import { PLAN_TIERS } from "../../../src/domain/plan.ts";
import {
  eventually,
  expectFailure,
  expectOk,
  expectRetryAfter,
  memoryOf,
  remember,
} from "../calls.ts";
import { rawRequest } from "../raw-http.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec({ rateLimit: true });

describe("the rate limit", () => {
  describe("rate limit", () => {
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

    test("8 limit rate limit: a refused request does not lengthen the wait", async () => {
      const caller = await spec.service.createAccount({ rate: 20, burst: 1 });
      expectOk(await caller.rest("GET", "/plan/status"));
      await eventually(async () => (await caller.rest("GET", "/plan/status")).status).toBe(200);
    });
  });
});
