/** A database that is too slow for what it is asked: refused with a wait, probes tell, and it passes by itself. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectGrpc } from "../grpc/clients/connect-clients.ts";
import { newTestLocation, TEST_ENGINES, type TestLocation } from "../support/database.ts";
import {
  SILENT_LOG,
  startTestService,
  type TestAccount,
  type TestService,
} from "../support/service.ts";

const CALLS = 40;

describe.runIf(TEST_ENGINES.includes("postgres"))("every connection waits for a statement", () => {
  let place: TestLocation;
  let service: TestService;
  let accounts: readonly TestAccount[];
  /** Somebody else's, who locks what the service needs. */
  let other: pg.Client;
  const logged: string[] = [];

  beforeAll(async () => {
    place = await newTestLocation("postgres");
    if (place.location.engine !== "postgres") throw new Error("unreachable");
    const warn = (fields: object, message: string) => {
      const { err } = fields as { err?: Error };
      logged.push(`${message}: ${err?.message}`);
    };
    service = await startTestService({ place, log: { ...SILENT_LOG, warn } });
    accounts = await Promise.all(Array.from({ length: 4 }, () => service.createAccount()));
    other = new pg.Client({ connectionString: place.location.url });
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await service.close();
    await place.remove();
  });

  const probe = async (path: string) => (await fetch(service.url + path)).status;
  const list = (index: number) => {
    const account = accounts[index % accounts.length];
    if (account === undefined) throw new Error("unreachable: there are some");
    return account.rest("GET", "/agent/memories");
  };

  test("calls are 503 with a wait, the process counts as alive and not as ready, and it passes", async () => {
    const [account] = accounts;
    await account?.rest("POST", "/agent/memories", { body: { content: "Before" } });
    await other.query("begin");
    await other.query("lock table memories in access exclusive mode");
    const calls = Array.from({ length: CALLS }, (_, index) => list(index));
    const client = connectGrpc(service.url);
    const overGrpc = client.call("ListMemories", {}, { key: account?.key ?? "" });
    await expect.poll(() => probe("/readyz")).toBe(503);
    expect(await probe("/healthz")).toBe(200);

    const reasons = new Set<string>();
    for (const { status, body, headers } of await Promise.all(calls)) {
      expect(status).toBe(503);
      expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      reasons.add(body.reason);
    }
    // Those that had a connection, whose statements were ended, and those that waited for one.
    expect([...reasons].sort()).toEqual(["overloaded", "storage_unavailable"]);
    expect(await overGrpc).toMatchObject({ ok: false, error: { code: "UNAVAILABLE" } });
    client.close();
    expect(logged.join("\n")).toMatch(/a call was refused: .*statement timeout/);

    await other.query("rollback");
    await expect.poll(() => probe("/readyz")).toBe(200);
    const { status, body } = await list(0);
    expect({ status, count: body.count }).toEqual({ status: 200, count: 1 });
  });
});
