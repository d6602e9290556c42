import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { claimEmbeddingSpaces } from "../../../src/storage/embedding-spaces.ts";
import { writeMemories } from "../../../src/storage/memory-writes.ts";
import type { AccountTrx } from "../../../src/storage/schema.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { openTestDatabase, TEST_ENGINES, type TestDatabase } from "../../support/database.ts";
import { findMemory, newCompanyId, newMemory, TEST_SPACE, writeOf } from "./fixture.ts";

describe.for(TEST_ENGINES)("an account's database on %s", (engine) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase(engine);
    await claimEmbeddingSpaces(opened.database.db, [TEST_SPACE]);
  });
  afterAll(() => opened.close());
  afterEach(() => vi.restoreAllMocks());

  const db = () => opened.database.db;
  /** As many as there may be of one account at the same time, and nobody else's. */
  const ofOneAccount = engine === "pglite" ? 1 : 6;

  /** Transactions that hold connections of an account until they are let go. */
  async function hold(companyId = newCompanyId(), count = ofOneAccount) {
    const letGo = Promise.withResolvers<void>();
    const held = Array.from({ length: count }, () => Promise.withResolvers<void>());
    const done = held.map(({ resolve }) =>
      transaction(db().forCall(companyId), async (trx) => {
        await readSpaces(trx);
        resolve();
        await letGo.promise;
      }),
    );
    await Promise.all(held.map(({ promise }) => promise));
    return {
      release: async () => {
        letGo.resolve();
        await Promise.all(done);
      },
    };
  }

  /** A transaction of a caller that stores a memory, and then does what `then` does. */
  function storeThen(then: (trx: AccountTrx) => Promise<unknown>) {
    const companyId = newCompanyId();
    const abort = new AbortController();
    const created = newMemory(companyId);
    const outcome = transaction(db().forCall(companyId, abort.signal), async (trx) => {
      await writeMemories(trx, writeOf({ created: [created] }));
      await then(trx);
    }).then(
      () => "stored",
      (error: unknown) => error,
    );
    const isStored = async () => (await findMemory(db(), companyId, created.memory.id)) !== null;
    return { abort, outcome, isStored };
  }

  /** Of every connection that waits for its next user. */
  async function expectCleanConnections(): Promise<void> {
    const statuses = await Promise.all(
      Array.from({ length: ofOneAccount }, () =>
        sql<{ depth: string }>`select now() = statement_timestamp() as "isOutside"`.execute(db()),
      ),
    );
    for (const { rows } of statuses) expect(rows).toEqual([{ isOutside: true }]);
  }

  test("serves another account before the rest of one account's queue", async () => {
    const [busy, other] = [newCompanyId(), newCompanyId()];
    const everyConnection = await hold(newCompanyId());
    const rest = engine === "pglite" ? null : await hold(newCompanyId(), 2);
    const order: string[] = [];
    const served = Promise.withResolvers<void>();
    // On Postgres what one account runs goes on until the other is served: without turns it never were.
    const runs = engine === "pglite" ? undefined : served.promise;
    const busyOnes = Array.from({ length: 9 }, (_, index) =>
      transaction(db().forCall(busy), async (trx) => {
        await readSpaces(trx);
        order.push(`busy ${index}`);
        await runs;
      }),
    );
    const one = transaction(db().forCall(other), async (trx) => {
      await readSpaces(trx);
      order.push("other");
      served.resolve();
    });
    await everyConnection.release();
    await Promise.all([one, ...busyOnes]);
    await rest?.release();
    if (engine === "pglite") expect(order.indexOf("other")).toBe(1);
  });

  test.runIf(engine === "postgres")(
    "leaves connections to others, however many it asks for",
    async () => {
      const busy = newCompanyId();
      const held = await hold(busy);
      let isServed = false;
      const waiting = transaction(db().forCall(busy), readSpaces).then(() => {
        isServed = true;
      });
      await transaction(db().forCall(newCompanyId()), readSpaces);
      expect(isServed).toBe(false);
      await held.release();
      await waiting;
    },
  );

  test("takes a part of the queue alone; who asks for more is refused, and nobody else", async () => {
    const busy = newCompanyId();
    const held = await hold(busy);
    const asked = Array.from({ length: 350 }, () =>
      readSpaces(db().forCall(busy)).then(
        () => "served",
        ({ reason }) => reason,
      ),
    );
    const others = Array.from({ length: 50 }, () => readSpaces(db().forCall(newCompanyId())));
    await held.release();
    await Promise.all(others);
    const outcomes = await Promise.all(asked);
    expect(outcomes.filter((outcome) => outcome === "served")).toHaveLength(300);
    expect(outcomes.filter((outcome) => outcome === "overloaded")).toHaveLength(50);
  });

  test.for<{ when: string; work: (trx: AccountTrx, leave: () => void) => Promise<unknown> }>([
    {
      when: "between two statements",
      work: async (trx, leave) => {
        leave();
        await readSpaces(trx);
      },
    },
    { when: "before its COMMIT", work: async (_, leave) => leave() },
    {
      when: "during a statement",
      work: async (trx, leave) => {
        setTimeout(leave, 20);
        await sql`select count(*) from generate_series(1, 2000000)`.execute(trx);
        await readSpaces(trx);
      },
    },
  ])("rolls back the transaction of a caller that leaves $when", async ({ work }) => {
    const { abort, outcome, isStored } = storeThen((trx) => work(trx, () => abort.abort(LEFT)));
    expect(await outcome).toBe(LEFT);
    expect(await isStored()).toBe(false);
    await expectCleanConnections();
  });

  test.runIf(engine === "postgres")(
    "ends the statement of a caller that leaves, a wait for a lock too",
    async () => {
      const abort = new AbortController();
      const owner = newCompanyId();
      const account = db().forCall(owner, abort.signal);
      const locked = Promise.withResolvers<void>();
      const letGo = Promise.withResolvers<void>();
      const holding = transaction(db(), async (trx) => {
        await sql`lock table audit_events in access exclusive mode`.execute(trx);
        locked.resolve();
        await letGo.promise;
      });
      await locked.promise;
      const statements = [
        sql`select pg_sleep(60)`.execute(account),
        sql`select 1 from audit_events`.execute(account),
      ];
      const ended = Promise.allSettled(statements);
      const running = async () => {
        const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and query ~ '^select (pg_sleep|1 from audit)' and state = 'active'`.execute(db());
        return rows.length;
      };
      await expect.poll(running).toBe(2);
      abort.abort(LEFT);
      expect(await ended).toMatchObject([{ reason: LEFT }, { reason: LEFT }]);
      await expect.poll(running).toBe(0);
      letGo.resolve();
      await holding;
      await expectCleanConnections();
    },
  );

  test("lets a COMMIT that was sent count", async () => {
    const { abort, outcome, isStored } = storeThen(async () => {
      onStatement("commit", () => abort.abort(LEFT));
    });
    expect(await outcome).toBe("stored");
    expect(await isStored()).toBe(true);
  });

  test("sends no statement that does not name the account", async () => {
    const [account, other] = [newCompanyId(), newCompanyId()];
    // And none of the embedded database's own, which may come at any time.
    const sent = onStatement('select "id" from "memories"', () => {});
    const idsOf = (companyId: typeof other) =>
      db().forCall(account).selectFrom("memories").select("id").where("company_id", "=", companyId);
    expect(await idsOf(account).execute()).toEqual([]);
    expect(sent).toHaveBeenCalledTimes(1);
    await expect(idsOf(other).execute()).rejects.toThrow("does not name the account");
    const inTransaction = transaction(db().of(account), async (trx) => {
      await trx.deleteFrom("memories").where("company_id", "=", other).execute();
    });
    await expect(inTransaction).rejects.toThrow("does not name the account");
    expect(sent).toHaveBeenCalledTimes(1);
    await expectCleanConnections();
  });
});

const LEFT = new Error("the client left");

/** A statement that every account may send. */
async function readSpaces(db: AccountTrx | ReturnType<TestDatabase["database"]["db"]["of"]>) {
  await db.selectFrom("embedding_spaces").select("id").execute();
  await sleep(1);
}

/** Calls `seen` when a statement that begins with `start` is sent. */
function onStatement(start: string, seen: () => void) {
  const { query } = pg.Client.prototype;
  const calls = vi.fn();
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const result = Reflect.apply(query, this, args);
    const { text = "" } = args[0] as { readonly text?: string };
    if (text.startsWith(start)) {
      calls(text);
      seen();
    }
    return result;
  });
  return calls;
}
