import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findAccount, insertAccount } from "../../../src/storage/accounts.ts";
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
} from "../../../src/storage/database.ts";
import type { Executor } from "../../../src/storage/schema.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { newTestLocation, TEST_ENGINES } from "../../support/database.ts";
import { accountOf, newAccount, newCompanyId } from "../contract/fixture.ts";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

const MAX_CONNECTIONS = 3;
const STALL_MS = 2_000;
const unavailable = { reason: "storage_unavailable", retryAfterSeconds: expect.any(Number) };

describe.runIf(TEST_ENGINES.includes("postgres"))("Postgres", () => {
  const closers: (() => Promise<void>)[] = [];
  let serverUrl: URL;
  let proxy: TcpProxy;

  beforeEach(async () => {
    const { location, remove } = await newTestLocation("postgres");
    closers.push(remove);
    if (location.engine !== "postgres") throw new Error("unreachable: Postgres was asked for");
    serverUrl = new URL(location.url);
    proxy = await startTcpProxy(serverUrl.hostname, Number(serverUrl.port || 5432));
    closers.push(() => proxy.close().catch(() => {}));
  });
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  /** A database that is reached through the proxy. One user may have every connection. */
  async function open(options?: DatabaseOptions): Promise<Database> {
    const url = new URL(serverUrl);
    url.hostname = "127.0.0.1";
    url.port = String(proxy.port);
    const database = await openDatabase(
      { engine: "postgres", url: url.href, maxConnections: MAX_CONNECTIONS },
      { ...options, limits: { concurrentPerOwner: MAX_CONNECTIONS, ...options?.limits } },
    );
    closers.push(() => database.close());
    return database;
  }

  /** How many rows a statement of an administrator gives. */
  async function onServer(statement: string): Promise<number> {
    const client = new pg.Client({ connectionString: serverUrl.href });
    await client.connect();
    const { rowCount } = await client.query(statement).finally(() => client.end());
    return rowCount ?? 0;
  }

  // Those of the service: a distributed database has connections of its own.
  const OTHERS =
    "pg_stat_activity where datname = current_database() and application_name = 'agent-memory'";
  const killBackends = () => onServer(`select pg_terminate_backend(pid) from ${OTHERS}`);
  const countSleeping = () => onServer(`select from ${OTHERS} and wait_event = 'PgSleep'`);

  /** Opens as many connections as there may be, so that all are idle afterwards. */
  async function warmUp(db: Executor): Promise<void> {
    await Promise.all(
      Array.from({ length: MAX_CONNECTIONS }, () => sql`select pg_sleep(0.05)`.execute(db)),
    );
  }

  test("idle connections that die are replaced", async () => {
    const { db } = await open();
    await warmUp(db);
    expect(await killBackends()).toBe(MAX_CONNECTIONS);
    // The pool may still hold a connection whose end it has not seen.
    await Promise.allSettled(Array.from({ length: 9 }, () => findAccount(db.of(newCompanyId()))));
    await newAccount(db);
  });

  test("a statement whose connection dies fails as unavailable, and the pool recovers", async () => {
    const { db } = await open();
    const running = Array.from({ length: MAX_CONNECTIONS }, () =>
      sql`select pg_sleep(60)`.execute(db).catch((error: unknown) => error),
    );
    await expect.poll(countSleeping).toBe(MAX_CONNECTIONS);
    await killBackends();
    expect(await Promise.all(running)).toMatchObject(running.map(() => unavailable));
    await newAccount(db);
  });

  test("a transaction whose connection dies between statements is undone and says so", async () => {
    const { db } = await open();
    const lost = accountOf(newCompanyId());
    const broken = transaction(db.of(lost.companyId), async (trx) => {
      await insertAccount(trx, lost);
      await killBackends();
      await insertAccount(trx, accountOf(newCompanyId()));
    });
    await expect(broken).rejects.toMatchObject(unavailable);
    expect(await findAccount(db.of(lost.companyId))).toBeNull();
  });

  test("a network that swallows everything costs no more than the deadline", async () => {
    const { db } = await open({ limits: { stallMs: STALL_MS } });
    await warmUp(db);
    proxy.blackHole();
    const stuck = Array.from({ length: MAX_CONNECTIONS }, () => findAccount(db.of(newCompanyId())));
    for (const each of await Promise.allSettled(stuck)) {
      expect(each).toMatchObject({ status: "rejected", reason: unavailable });
    }
    proxy.reset();
    await newAccount(db);
  });

  test("a server that takes connections and answers nothing fails requests as unavailable", async () => {
    const { db } = await open();
    await killBackends();
    proxy.swallowStatements();
    await Promise.allSettled([findAccount(db.of(newCompanyId()))]);
    await expect(findAccount(db.of(newCompanyId()))).rejects.toMatchObject(unavailable);
    proxy.reset();
    await newAccount(db);
  });

  test("a COMMIT whose answer is lost is never tried again", async () => {
    const { db } = await open({ limits: { stallMs: STALL_MS } });
    let attempts = 0;
    const uncertain = transaction(db.of(newCompanyId()), async (trx) => {
      attempts++;
      await insertAccount(trx, accountOf(newCompanyId()));
      proxy.blackHole();
    });
    await expect(uncertain).rejects.toMatchObject(unavailable);
    expect(attempts).toBe(1);
    proxy.reset();
  });

  test("sessions have deadlines below that of the pool, and speak UTC", async () => {
    const { db } = await open();
    const { rows } = await sql`
      select current_setting('statement_timeout') as statement,
             current_setting('idle_in_transaction_session_timeout') as idle,
             current_setting('TimeZone') as zone`.execute(db);
    expect(rows).toEqual([{ statement: "10s", idle: "10s", zone: "UTC" }]);
  });

  test("requests that wait for each other's connections end as overload", async () => {
    const { db } = await open({ limits: { waitMs: 200 } });
    // Each holds one connection and asks for a second: without a limit, for ever.
    const outcomes = await Promise.allSettled(
      Array.from({ length: MAX_CONNECTIONS }, () =>
        transaction(db, async (trx) => {
          await sql`select pg_sleep(0.05)`.execute(trx);
          await findAccount(db.of(newCompanyId()));
        }),
      ),
    );
    expect(outcomes[0]).toMatchObject({ status: "rejected", reason: { reason: "overloaded" } });
    await newAccount(db);
  });

  test("to open a database that is away, or is not there, tells the operator why", async () => {
    await proxy.close();
    await expect(open()).rejects.toThrow(/127\.0\.0\.1:\d+.+can't be opened: .*ECONNREFUSED/);
    serverUrl.pathname = "/no_such_database";
    await expect(
      openDatabase({ engine: "postgres", url: serverUrl.href, maxConnections: 1 }),
    ).rejects.toThrow(/no_such_database.+does not exist/);
  });

  test("no description and no error holds the password", async () => {
    const url = new URL(serverUrl);
    url.password = "very-secret";
    const database = await openDatabase({ engine: "postgres", url: url.href, maxConnections: 1 });
    closers.push(() => database.close());
    expect(database.description).toMatch(/^PostgreSQL \d+\.\d+, pgvector \d+\.\d+\.\d+ at /);
    expect(database.description).not.toContain("very-secret");
    url.pathname = "/no_such_database";
    const error: Error = await openDatabase({
      engine: "postgres",
      url: url.href,
      maxConnections: 1,
    }).then(
      () => expect.fail("the database does not exist"),
      (reason: Error) => reason,
    );
    expect(`${error.stack}${error.cause}`).not.toContain("very-secret");
  });
});
