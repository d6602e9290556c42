/** Reads that a replica answers, and those that it must not: a primary, and what streams from it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { TEST_ENGINES } from "../support/database.ts";
import { HAS_POSTGRES } from "../support/postgres-cluster.ts";
import { type ReplicatedDatabase, startReplicated } from "../support/replicated.ts";
import { createRestClient, type RestClient } from "../support/rest-client.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";

const runs = HAS_POSTGRES && TEST_ENGINES.includes("postgres");

const TOKEN = "consistency-token";

describe.runIf(runs)("a database with a replica", () => {
  let database: ReplicatedDatabase;
  let first: TestService;
  let second: TestService;
  const lines: { fields: object; text: string }[] = [];
  beforeAll(async () => {
    database = await startReplicated();
    const { place } = database;
    const keep = (fields: object, text: string) => void lines.push({ fields, text });
    const log = { debug: () => {}, info: keep, warn: keep, error: keep };
    first = await startTestService({ place, log });
    second = await startTestService({ place });
  });
  afterEach(() => database.resume());
  afterAll(async () => {
    await first.close();
    await second.close();
    await database.remove();
  });

  const onSecond = ({ key }: TestAccount) => createRestClient(second.url, key);

  async function write(rest: RestClient, content: string, headers = {}) {
    const answer = await rest("POST", "/agent/memories", { body: { content }, headers });
    expect(answer.status).toBe(200);
    return { id: answer.body.memory_id as string, token: answer.headers.get(TOKEN) ?? "" };
  }

  /** What each way to read shows, by the IDs of memories. */
  async function shownTo(rest: RestClient, id: string, token?: string) {
    const headers: Record<string, string> = token === undefined ? {} : { [TOKEN]: token };
    const body = { question: "Where does Ada live?" };
    const [listed, searched, asked, one, timeline] = await Promise.all([
      rest("GET", "/agent/memories", { headers }),
      rest("POST", "/agent/search", { headers, body }),
      rest("POST", "/agent/query", { headers, body }),
      rest("GET", `/memories/${id}`, { headers }),
      rest("GET", `/memories/${id}/timeline`, { headers }),
    ]);
    const has = (memories: { id: string }[] = []) => memories.some((each) => each.id === id);
    return {
      list: has(listed.body.memories),
      search: has(searched.body.memories),
      query: has(asked.body.memories),
      get: one.status === 200,
      timeline: timeline.status === 200,
    };
  }
  const ALL = { list: true, search: true, query: true, get: true, timeline: true };
  const NONE = { list: false, search: false, query: false, get: false, timeline: false };

  async function readsOf(service: TestService, outcome: string): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${service.adminPort}/metrics`)).text();
    const line = `^agent_memory_replica_reads_total\\{outcome="${outcome}"\\} (\\d+)$`;
    return Number(new RegExp(line, "m").exec(text)?.[1] ?? 0);
  }

  /** Until the replica answers reads of the service. */
  async function untilRead(service: TestService, { key }: TestAccount): Promise<void> {
    const before = await readsOf(service, "replica");
    const rest = createRestClient(service.url, key);
    await expect
      .poll(async () => {
        await rest("GET", "/agent/memories");
        return readsOf(service, "replica");
      })
      .toBeGreaterThan(before);
  }

  test("D36 replicas: reads are answered by the replica", async () => {
    const account = await first.createAccount();
    const { id } = await write(account.rest, "Ada lives in Paris");
    await untilRead(first, account);
    expect(await shownTo(account.rest, id)).toEqual(ALL);
  });

  test("D36 replicas: who wrote reads it, also where the replica shows nothing of it", async () => {
    const account = await first.createAccount();
    await untilRead(first, account);
    await database.pause();
    const before = await database.shown();
    const { id } = await write(account.rest, "Ada lives in Paris");
    expect(await shownTo(account.rest, id)).toEqual(ALL);
    expect(await database.shown()).toBe(before);
  });

  test("D36 replicas: a token shows it by any other server, and no token one that is a second old", async () => {
    const account = await first.createAccount();
    await untilRead(second, account);
    await database.pause();
    const { id, token } = await write(account.rest, "Ada lives in Paris");
    expect(token).toMatch(/^[\da-f]+$/);
    expect(await shownTo(onSecond(account), id, token)).toEqual(ALL);
    await expect.poll(() => shownTo(onSecond(account), id)).toEqual(ALL);
  });

  test("D36 replicas: what was erased is not shown again to who erased it", async () => {
    const account = await first.createAccount();
    const { id } = await write(account.rest, "Ada lives in Paris");
    await database.resume();
    await untilRead(second, account);
    await database.pause();
    const erased = await account.rest("DELETE", "/agent/memories");
    expect(erased.status).toBe(200);
    const token = erased.headers.get(TOKEN) ?? "";
    expect(await shownTo(account.rest, id)).toEqual(NONE);
    expect(await shownTo(onSecond(account), id, token)).toEqual(NONE);
    expect(await database.shown()).toBeGreaterThan(0);
  });

  test("D36 replicas: a repeated write is read where it was repeated", async () => {
    const account = await first.createAccount();
    await untilRead(second, account);
    await database.pause();
    const key = { "idempotency-key": "once" };
    const { id } = await write(account.rest, "Ada lives in Paris", key);
    const again = await write(onSecond(account), "Ada lives in Paris", key);
    expect(again.id).toBe(id);
    expect(await shownTo(onSecond(account), id)).toEqual(ALL);
    expect(again.token).not.toBe("");
  });

  test("D36 replicas: a token that no answer gave is refused", async () => {
    const { rest } = await first.createAccount();
    const refused = await rest("GET", "/agent/memories", { headers: { [TOKEN]: "yesterday" } });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ reason: "invalid_field" });
    expect(refused.body.detail).toContain("Consistency-Token");
  });

  test("D36 replicas: without its replica a server reads the primary, says so once, and comes back by itself", async () => {
    const account = await first.createAccount();
    const { id } = await write(account.rest, "Ada lives in Paris");
    await database.resume();
    await untilRead(first, account);
    lines.length = 0;
    const { replica } = database;
    await replica.stopAtOnce();
    for (let i = 0; i < 3; i++) expect(await shownTo(account.rest, id)).toEqual(ALL);
    await write(account.rest, "Ada likes tea");
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    await replica.start();
    await untilRead(first, account);
    const told = lines.map(({ text }) => text).filter((text) => text.includes("replica"));
    expect(told.at(0)).toBe("the replica is out of reach: the primary answers all reads");
    expect(told.at(-1)).toBe("the replica is read");
    // A busy machine may lose it more often; never does a line follow on its like.
    expect(told.filter((text, index) => text === told[index + 1])).toEqual([]);
  });

  test("D36 replicas: a replica that freezes holds no read for long", async () => {
    const account = await first.createAccount();
    const { id } = await write(account.rest, "Ada lives in Paris");
    await database.resume();
    await untilRead(first, account);
    const { replica } = database;
    await replica.freeze();
    // One that was given its statement waits until it is given up.
    expect(await shownTo(account.rest, id).finally(() => replica.thaw())).toEqual(ALL);
    await untilRead(first, account);
  });

  test("D36 replicas: what is no replica of the database is not read", async () => {
    const { location } = database.place;
    if (location.engine !== "postgres") throw new Error("unreachable: it is a Postgres");
    const place = { ...database.place, location: { ...location, readUrl: location.url } };
    const service = await startTestService({ place });
    const account = await service.createAccount();
    const { id } = await write(account.rest, "Ada lives in Paris");
    expect(await shownTo(account.rest, id)).toEqual(ALL);
    expect(await readsOf(service, "replica")).toBe(0);
    expect(await readsOf(service, "unavailable")).toBeGreaterThan(0);
    await service.close();
  });
});
