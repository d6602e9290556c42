/** Buckets in Redis are those of one process, for many; and Redis is never needed. */
import { once } from "node:events";
import { createServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { createClient } from "@redis/client";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { createRateLimiter, type RateLimiter } from "../../src/edge/rate-limit.ts";
import type { Log } from "../../src/log.ts";
import { RedisBuckets } from "../../src/redis/shared-buckets.ts";
import { caller, refusalOf } from "../edge/rate-limit-callers.ts";
import { createTestCertificate } from "../support/certificate.ts";
import { NO_REDIS, startTestRedis, type TestRedis } from "../support/redis.ts";
import { SILENT_LOG } from "../support/service.ts";

/** So slow that nothing refills while a test runs. */
const SLOW = 1e-6;

/** For what is never answered. */
const SHORT_MS = 50;

interface Server {
  readonly limiter: RateLimiter;
  readonly buckets: RedisBuckets;
}

const opened: RedisBuckets[] = [];
afterEach(() => {
  for (const buckets of opened.splice(0)) buckets.close();
});

/** `timeoutMs`: of a busy machine, unless the test is about what Redis does not answer. */
async function server(url: string, log: Log = SILENT_LOG, timeoutMs = 60_000): Promise<Server> {
  const buckets = new RedisBuckets(
    { url, timeoutMs, connectTimeoutMs: timeoutMs, retryMs: 20 },
    log,
  );
  opened.push(buckets);
  await buckets.connect();
  return { buckets, limiter: createRateLimiter(() => performance.now(), null, buckets) };
}

/** A log, with what it was told. */
function keptLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (fields: object, text: string) => void lines.push(JSON.stringify({ fields, text }));
  return { log: { debug: keep, info: keep, warn: keep, error: keep }, lines };
}

async function redis(options = {}): Promise<TestRedis> {
  const started = await startTestRedis(options);
  onTestFinished(() => started.remove());
  return started;
}

/** How many of the requests that come all at once, spread over the servers, are admitted. */
async function admitted(
  servers: readonly Server[],
  key: ReturnType<typeof caller>,
  requests: number,
): Promise<number> {
  const refusals = await Promise.all(
    Array.from({ length: requests }, (_, index) =>
      refusalOf(servers[index % servers.length]?.limiter, key),
    ),
  );
  return refusals.filter((refusal) => refusal === null).length;
}

const shared = (each: Server) => expect.poll(() => each.buckets.state.isShared);

describe.skipIf(NO_REDIS !== null)(`servers that share a Redis (${NO_REDIS ?? "found"})`, () => {
  test("admit one budget together, exactly, however many requests come at once", async () => {
    const { url } = await redis();
    const servers = await Promise.all([server(url), server(url), server(url)]);
    const key = caller("one", { rate: SLOW, burst: 100 });
    expect(await admitted(servers, key, 400)).toBe(100);
    expect(await admitted(servers, caller("two", { rate: SLOW, burst: 7 }), 50)).toBe(7);
    expect(servers.map(({ buckets }) => buckets.state.fallbacks)).toEqual([0, 0, 0]);
  });

  test("tell the wait, and admit again when it is over", async () => {
    const { url } = await redis();
    const [first, second] = [await server(url), await server(url)];
    const slow = caller("slow", { rate: 0.003, burst: 1 });
    expect(await refusalOf(first.limiter, slow)).toBeNull();
    const refused = await refusalOf(second.limiter, slow);
    expect(refused?.reason).toBe("rate_limited");
    // 333, less those that the test has taken.
    expect(refused?.retryAfterSeconds).toBeGreaterThan(200);
    const fast = caller("fast", { rate: 1_000, burst: 1 });
    await refusalOf(first.limiter, fast);
    await expect.poll(() => refusalOf(second.limiter, fast)).toBeNull();
  });

  test("charge what is heavy to the one budget, with a debt as of one server", async () => {
    const { url } = await redis();
    const [first, second] = [await server(url), await server(url)];
    const key = caller("heavy", { rate: 0.001, burst: 40 });
    await first.limiter.admit(key);
    first.limiter.charge(key, 30);
    // Behind the charge, on the same connection.
    expect(await refusalOf(first.limiter, key)).toBeNull();
    expect(await admitted([second], key, 40)).toBe(8);
    first.limiter.charge(key, 1_000);
    await expect
      .poll(async () => (await refusalOf(second.limiter, key))?.retryAfterSeconds)
      // A token, and 10 seconds of debt.
      .toBeGreaterThan(1_000);
    // As far as the debt goes, also where the numbers are not round.
    const slow = caller("slow", { rate: SLOW, burst: 1 });
    first.limiter.charge(slow, 1_000);
    expect(await refusalOf(first.limiter, slow)).not.toBeNull();
    expect(first.buckets.state).toEqual({ isShared: true, fallbacks: 0 });
  });

  test("apply a changed limit to the next request", async () => {
    const { url } = await redis();
    const servers = [await server(url), await server(url)];
    const limited = (burst: number) => caller("changed", { rate: SLOW, burst });
    expect(await admitted(servers, limited(5), 10)).toBe(5);
    expect(await admitted(servers, limited(50), 10)).toBe(0);
    const full = (burst: number) => caller("full", { rate: SLOW, burst });
    expect(await admitted(servers, full(50), 1)).toBe(1);
    expect(await admitted(servers, full(3), 10)).toBe(3);
  });

  test("leave nothing behind: every key of Redis expires", async () => {
    const { url } = await redis();
    const { limiter } = await server(url);
    await limiter.admit(caller("a", { rate: 0.01, burst: 40 }));
    await limiter.admit(caller("b", { rate: 0.001, burst: 40 }));
    const client = await createClient({ url }).connect();
    const keys = await client.keys("agent-memory:rate:[ab]");
    const left = await Promise.all(keys.map((key) => client.pTTL(key)));
    client.destroy();
    expect(keys.toSorted()).toEqual(["a", "b"].map((name) => `agent-memory:rate:${name}`));
    // As long as the bucket takes to be full, and a second.
    expect(Math.min(...left)).toBeGreaterThan(0);
    expect(Math.max(...left)).toBeLessThanOrEqual(1_001_000);
  });
});

describe.skipIf(NO_REDIS !== null)("where Redis is not as it should be", () => {
  test("killed in the middle: each server counts by itself, says so once, and shares again", async () => {
    const place = await redis();
    const { log, lines } = keptLog();
    const [first, second] = [await server(place.url, log), await server(place.url)];
    const key = caller("one", { rate: SLOW, burst: 10 });
    expect(await admitted([first, second], key, 4)).toBe(4);
    const ends = place.kill();
    // Nobody is refused who has not used the budget up.
    expect(await admitted([first], key, 8)).toBe(8);
    await ends;
    expect(await admitted([first], key, 10)).toBe(0);
    expect(await admitted([second], key, 20)).toBe(8);
    expect(first.buckets.state).toMatchObject({ isShared: false });
    expect(first.buckets.state.fallbacks).toBeGreaterThan(0);

    await place.restart();
    await shared(first).toBe(true);
    await shared(second).toBe(true);
    // It was lost with Redis what anybody had used.
    expect(await admitted([first, second], key, 30)).toBe(10);
    expect(lines.map((line) => JSON.parse(line).text)).toEqual([
      "rate limits are shared by Redis",
      "Redis is out of reach: each server counts rate limits by itself",
      "rate limits are shared by Redis",
    ]);
  });

  test("frozen: one wait at most, then none until it answers again", async () => {
    const place = await redis();
    const { limiter, buckets } = await server(place.url, SILENT_LOG, SHORT_MS);
    await shared({ limiter, buckets }).toBe(true);
    const key = caller("one", { rate: SLOW, burst: 1_000 });
    place.freeze();
    const waiting = Array.from({ length: 20 }, () => refusalOf(limiter, key));
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 20 }, () => null));
    expect(buckets.state.isShared).toBe(false);
    // In order: no answer of Redis, no timer and no socket comes between.
    const order: string[] = [];
    setImmediate(() => order.push("a turn of the loop"));
    await limiter.admit(key);
    order.push("admitted");
    expect(order[0]).toBe("admitted");
    place.thaw();
    await shared({ limiter, buckets }).toBe(true);
  });

  test("accepts, and never answers: the server starts, serves, and says so once", async () => {
    let attempts = 0;
    const hole = createServer(() => attempts++).listen(0, "127.0.0.1");
    await once(hole, "listening");
    onTestFinished(() => void hole.close());
    const { port } = hole.address() as { port: number };
    const { log, lines } = keptLog();
    const { limiter, buckets } = await server(`redis://127.0.0.1:${port}`, log, SHORT_MS);
    expect(buckets.state.isShared).toBe(false);
    const key = caller("one", { rate: SLOW, burst: 3 });
    expect(await admitted([{ limiter, buckets }], key, 5)).toBe(3);
    await expect.poll(() => attempts).toBeGreaterThan(2);
    expect(lines).toHaveLength(1);
  });

  test.each<[string, string]>([
    ["more than a bucket holds", "*2\r\n:0\r\n$2\r\n99\r\n"],
    ["a debt without end", "*2\r\n:0\r\n$9\r\n-99999999\r\n"],
    ["an error", "-READONLY You can't write against a read only replica.\r\n"],
  ])("answers %s: nobody is refused", async (_, answer) => {
    const liar = createServer((socket) => {
      socket.on("error", () => {});
      // The handshake and the probe are answered as they should be, then comes the lie.
      socket.on("data", (data) => {
        const isTake = data.includes("rate:one");
        const commands = data.toString().match(/^\*\d/gm)?.length ?? 1;
        const isProbe = data.includes("rate:probe");
        const whole = isProbe ? "*2\r\n:1\r\n$1\r\n1\r\n" : "+OK\r\n".repeat(commands);
        socket.write(isTake ? answer : whole);
      });
    }).listen(0, "127.0.0.1");
    await once(liar, "listening");
    onTestFinished(() => void liar.close());
    const { port } = liar.address() as { port: number };
    const { limiter, buckets } = await server(`redis://127.0.0.1:${port}`);
    expect(buckets.state.isShared).toBe(true);
    const key = caller("one", { rate: SLOW, burst: 3 });
    expect(await admitted([{ limiter, buckets }], key, 5)).toBe(3);
    expect(buckets.state.fallbacks).toBe(5);
  });

  test("asks for a password: with it limits are shared, without or with another they are not", async () => {
    const password = "pass:word/§";
    const { port } = await redis({ password });
    const { log, lines } = keptLog();
    const url = (secret: string) => `redis://:${encodeURIComponent(secret)}@127.0.0.1:${port}`;
    expect((await server(url(password), log)).buckets.state.isShared).toBe(true);
    for (const wrong of [url("another"), `redis://127.0.0.1:${port}`]) {
      const { limiter, buckets } = await server(wrong, log);
      expect(buckets.state.isShared).toBe(false);
      await limiter.admit(caller("one"));
    }
    expect(lines.map((line) => JSON.parse(line).fields.reason)).toEqual([
      undefined,
      "WRONGPASS",
      "NOAUTH",
    ]);
    for (const line of lines) expect(line).not.toMatch(/pass:word|pass%3A|another/);
  });

  test("speaks TLS: its certificate is checked against what the process trusts", async () => {
    const certificate = await createTestCertificate();
    onTestFinished(() => certificate.remove());
    const { url } = await redis({ certificate });
    const { log, lines } = keptLog();
    expect((await server(url, log)).buckets.state.isShared).toBe(false);
    expect(JSON.parse(lines[0] ?? "{}").fields.reason).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
    const trusted = getCACertificates();
    setDefaultCACertificates([...trusted, certificate.ca]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    expect((await server(url)).buckets.state.isShared).toBe(true);
  });
});
