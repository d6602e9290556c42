/** The whole service with a Redis: what its callers and its operator notice. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newTestLocation, TEST_ENGINES, type TestLocation } from "../support/database.ts";
import { NO_REDIS, startTestRedis, type TestRedis } from "../support/redis.ts";
import { createRestClient } from "../support/rest-client.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** More than any machine takes. */
const timeoutMs = 60_000;

async function metric(service: TestService, name: string): Promise<string | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${service.adminPort}/metrics`)).text();
  return new RegExp(`^${name} (.+)$`, "m").exec(text)?.[1];
}

const SHARED = "agent_memory_rate_limits_shared";

describe.skipIf(NO_REDIS !== null)(`a server with a Redis (${NO_REDIS ?? "found"})`, () => {
  let redis: TestRedis;
  let service: TestService;
  beforeAll(async () => {
    redis = await startTestRedis();
    const config = { rateLimit: true, redis: { url: redis.url, timeoutMs } };
    service = await startTestService({ config });
  });
  afterAll(async () => {
    await service.close();
    await redis.remove();
  });

  test("D30 servers: limits hold with Redis, without it, and with it again; the server stays ready", async () => {
    const { createAccount, url } = service;
    await expect.poll(() => metric(service, SHARED)).toBe("1");
    const statusesOf = async (requests: number) => {
      const { rest } = await createAccount({ rate: 1e-6, burst: 5 });
      const asked = Array.from({ length: requests }, () => rest("GET", "/plan/status"));
      const answers = await Promise.all(asked);
      for (const { headers } of answers) expect(headers.get("ratelimit")).not.toBeNull();
      return answers.map(({ status }) => status).toSorted();
    };
    const exactly = [200, 200, 200, 200, 200, 429, 429];
    expect(await statusesOf(7)).toEqual(exactly);
    await redis.kill();
    expect(await statusesOf(7)).toEqual(exactly);
    expect(await metric(service, SHARED)).toBe("0");
    expect(Number(await metric(service, "agent_memory_rate_limit_fallbacks_total"))).toBe(7);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await redis.restart();
    await expect.poll(() => metric(service, SHARED)).toBe("1");
    expect(await statusesOf(7)).toEqual(exactly);
  });
});

describe.skipIf(NO_REDIS !== null || !TEST_ENGINES.includes("postgres"))(
  "two servers with one Redis and one database",
  () => {
    let redis: TestRedis;
    let place: TestLocation;
    let servers: readonly TestService[];
    beforeAll(async () => {
      redis = await startTestRedis();
      place = await newTestLocation("postgres");
      const config = { rateLimit: true, redis: { url: redis.url, timeoutMs } };
      servers = [
        await startTestService({ place, config }),
        await startTestService({ place, config }),
      ];
    });
    afterAll(async () => {
      for (const server of servers) await server.close();
      await place.remove();
      await redis.remove();
    });

    test("D30 servers: a key has one budget on both, under concurrency", async () => {
      const [first] = servers;
      for (const server of servers) await expect.poll(() => metric(server, SHARED)).toBe("1");
      const account = await first?.createAccount({ rate: 1e-6, burst: 25 });
      const clients = servers.map(({ url }) => createRestClient(url, account?.key ?? ""));
      const asked = Array.from({ length: 80 }, (_, index) =>
        clients[index % 2]?.("GET", "/plan/status"),
      );
      const statuses = (await Promise.all(asked)).map((answer) => answer?.status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(25);
      expect(statuses.filter((status) => status === 429)).toHaveLength(55);
    });
  },
);
