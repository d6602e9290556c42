/** Postgres goes away and comes back while the service runs: 503 meanwhile, and no restart. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTcpProxy, type TcpProxy } from "../storage/faults/tcp-proxy.ts";
import { newTestLocation, TEST_ENGINES, type TestLocation } from "../support/database.ts";
import { holdEmbedder } from "../support/models.ts";
import { createRestClient } from "../support/rest-client.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";
import { expectWholeMemories, usedAndStored } from "./stored-state.ts";

describe.runIf(TEST_ENGINES.includes("postgres"))("an outage of Postgres", () => {
  let place: TestLocation;
  let throughProxy: TestLocation;
  let proxy: TcpProxy;
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    place = await newTestLocation("postgres");
    if (place.location.engine !== "postgres") throw new Error("unreachable");
    const url = new URL(place.location.url);
    proxy = await startTcpProxy(url.hostname, Number(url.port || 5432));
    url.hostname = "127.0.0.1";
    url.port = String(proxy.port);
    throughProxy = { ...place, location: { ...place.location, url: url.href } };
    service = await startTestService({ place: throughProxy });
  });
  afterAll(async () => {
    await service.close();
    await proxy.close();
    await place.remove();
  });
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const write = (content: string, idempotencyKey?: string) =>
    account.rest("POST", "/agent/memories", {
      body: { content },
      headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey },
    });

  /** Until it does; the pool may first find a connection or two that are dead. */
  function servesAgain(): Promise<void> {
    return expect.poll(async () => (await write("Is it back?")).status).toBe(200);
  }

  const unavailable = {
    status: 503,
    body: { reason: "storage_unavailable", detail: expect.stringContaining("database") },
  };

  test("every call is 503 with a wait, and is served again once it is over", async () => {
    await write("Before");
    proxy.refuse();
    const calls = [
      () => write("During"),
      () => account.rest("GET", "/agent/memories"),
      () => account.rest("POST", "/agent/query", { body: { question: "What?" } }),
      () => account.rest("DELETE", "/agent/memories"),
      () => account.rest("GET", "/agent/settings"),
      () => account.rest("PATCH", "/agent/settings", { body: { min_confidence: 1 } }),
      () => account.rest("GET", "/plan/status"),
    ];
    for (const call of calls) {
      const answer = await call();
      expect(answer).toMatchObject(unavailable);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(JSON.stringify(answer.body)).not.toMatch(/ECONN|\d+\.\d+\.\d+|postgres|pool/i);
    }
    proxy.reset();
    await servesAgain();
    const { body } = await account.rest("GET", "/agent/memories", { query: { limit: "1000" } });
    const contents = body.memories.map(({ decision }: { decision: string }) => decision);
    expect(contents).toContain("Before");
    expect(contents).not.toContain("During");
  });

  test("probes tell the process, which lives, from the service, which is not ready", async () => {
    const status = async (path: string) => (await fetch(service.url + path)).status;
    expect(await status("/readyz")).toBe(200);
    proxy.refuse();
    expect(await status("/readyz")).toBe(503);
    expect(await status("/healthz")).toBe(200);
    proxy.reset();
    await expect.poll(() => status("/readyz")).toBe(200);
  });

  test("connections that are cut under load leave nothing by half", async () => {
    let answered = 0;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const acknowledged: string[] = [];
      for (let count = 0; count < 40; count++) {
        const { status, body } = await write(`Fact ${writer}.${count}`);
        expect([200, 503]).toContain(status);
        if (status === 200) acknowledged.push(body.memory_id);
        answered++;
        if (answered % 40 === 0) proxy.reset();
      }
      return acknowledged;
    });
    const acknowledged = (await Promise.all(writers)).flat();
    await servesAgain();
    const { body } = await account.rest("GET", "/agent/memories", { query: { limit: "1000" } });
    const ids = body.memories.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
    await expectWholeMemories(service.context.db, account.companyId);
    const { used, stored } = await usedAndStored(service.context.db, account.companyId);
    expect(used).toBe(stored);
  });

  test.each([
    // The text is in the statement alone that stores it.
    { what: "the statement of a whole write", lost: /lives in \w+/, auto_supersede: false },
    { what: "the COMMIT of one that ends another", lost: /\bcommit\b/i, auto_supersede: true },
  ])(
    "$what whose answer is lost is 503, and its repeat gives the memory that it stored",
    async (each) => {
      const { auto_supersede } = each;
      const move = (city: string) =>
        account.rest("POST", "/agent/memories", {
          body: { content: `Alice lives in ${city}`, auto_supersede },
          headers: { "idempotency-key": `to-${city}` },
        });
      await move("Rome");
      const cities = ["Oslo", "Bonn"];
      for (const city of cities) {
        proxy.loseAnswerTo(each.lost);
        expect(await move(city)).toMatchObject({ status: 503 });
        expect(await move(city)).toMatchObject({ status: 200 });
      }
      const { body } = await account.rest("GET", "/agent/memories");
      expect(body.count).toBe(auto_supersede ? 1 : 1 + cities.length);
      expect((await account.rest("GET", "/plan/status")).body.writes_used).toBe(1 + cities.length);
    },
  );

  /** Repeats a write until the database is back and the key of the failed attempt is released. */
  async function repeatUntilServed(content: string, idempotencyKey: string) {
    for (;;) {
      const answer = await write(content, idempotencyKey);
      if (![409, 503].includes(answer.status)) return answer;
    }
  }

  /** A write that the database leaves while a model is asked. */
  async function writeIntoOutage(content: string, idempotencyKey: string): Promise<void> {
    const held = holdEmbedder(service);
    const first = write(content, idempotencyKey);
    await Promise.race([held.entered, first]);
    proxy.refuse();
    held.release();
    expect(await first).toMatchObject(unavailable);
  }

  test("a stop ends while the database hangs, though the log of calls cannot be stored", async () => {
    const other = await startTestService({ place: throughProxy });
    await (await other.createAccount()).rest("GET", "/agent/settings");
    proxy.swallowStatements();
    const startMs = performance.now();
    await expect(other.close()).rejects.toThrow("no answer in 10000 ms");
    expect(performance.now() - startMs).toBeLessThan(14_000);
    proxy.reset();
    await servesAgain();
  });

  test("D33 lease: it is free on another server too, before the lease ends", async () => {
    const other = await startTestService({ place });
    const { body: kept } = await write("Before", "before");
    try {
      await other.clock.hold(async () => {
        const rest = createRestClient(other.url, account.key);
        const repeat = (content: string, idempotencyKey: string) =>
          rest("POST", "/agent/memories", {
            body: { content },
            headers: { "idempotency-key": idempotencyKey },
          });
        await writeIntoOutage("Cut off", "cut-off");
        expect((await repeat("Before", "before")).body).toEqual(kept);
        const during = await repeat("Cut off", "cut-off");
        expect(during).toMatchObject({ status: 409, body: { reason: "idempotency_key_in_use" } });
        proxy.reset();
        await expect.poll(async () => (await repeat("Cut off", "cut-off")).status).toBe(200);
      });
    } finally {
      await other.close();
    }
    await servesAgain();
  });

  test("D33 lease: a claim whose answer is lost does not keep its key", async () => {
    // New connections, which send the text of each statement once more.
    proxy.reset();
    await servesAgain();
    proxy.loseAnswerTo(/insert into idempotency_keys/);
    expect(await write("Uncertain", "lost-claim")).toMatchObject(unavailable);
    const repeated = await repeatUntilServed("Uncertain", "lost-claim");
    expect(repeated).toMatchObject({ status: 200 });
  });
});
