import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Memory } from "../../src/domain/memory.ts";
import type { ServiceDb } from "../../src/storage/connection-pool.ts";
import { type Database, openDatabase } from "../../src/storage/database.ts";
import { claimEmbeddingSpaces, findActiveSpace } from "../../src/storage/embedding-spaces.ts";
import { searchMemories } from "../../src/storage/memory-search.ts";
import { writeMemories } from "../../src/storage/memory-writes.ts";
import {
  countVectors,
  cutOver,
  fillVectors,
  listMemoriesToFill,
  type MemoryPosition,
  removeOldVectors,
} from "../../src/storage/reembedding.ts";
import { transaction } from "../../src/storage/transaction.ts";
import {
  eraseAll,
  NO_FILTERS,
  NOW,
  newCompanyId,
  newMemory,
  restore,
  storeMemory,
  supersede,
  TEST_SPACE,
  writeOf,
} from "../storage/contract/fixture.ts";
import { statementsAcrossAccounts } from "../storage/contract/statements.ts";
import { openTestDatabase, TEST_ENGINES, type TestDatabase } from "../support/database.ts";

const NEXT_SPACE = { provider: "test", model: "next", dimensions: 3 };
const NEXT_VECTOR = [0, 1, 0];

describe.for(TEST_ENGINES)("moving to another space on %s", (engine) => {
  let opened: TestDatabase;
  let db: ServiceDb;
  let present: number;
  let next: number;
  const statements = new Set<string>();

  beforeAll(async () => {
    opened = await openTestDatabase(engine, { log: ({ query }) => statements.add(query.sql) });
    db = opened.database.db;
    statements.clear();
    [present = 0, next = 0] = await claimEmbeddingSpaces(db, [TEST_SPACE, NEXT_SPACE]);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await sql`truncate memories cascade`.execute(db);
    await transaction(db, (trx) => cutOver(trx, present));
  });

  const nextVector = (memory: MemoryPosition) => ({
    id: memory.id,
    spaceId: next,
    vector: NEXT_VECTOR,
    terms: { numbers: [1], length: 1 },
  });
  const fill = async (...memories: MemoryPosition[]) => {
    let filled = 0;
    for (const [companyId, own] of Map.groupBy(memories, (each) => each.companyId)) {
      filled += await fillVectors(db.of(companyId), own.map(nextVector));
    }
    return filled;
  };
  const toNext = () => transaction(db, (trx) => cutOver(trx, next));
  const found = async ({ companyId }: Memory, spaceId: number, vector: readonly number[]) => {
    const similar = await searchMemories(db.of(companyId), {
      tenantIds: [null],
      sources: null,
      ...NO_FILTERS,
      now: NOW,
      vector: { spaceId, vector },
      terms: [],
      space: { provider: "any" },
      limit: 10,
    });
    return similar?.memories.map(({ memory }) => memory.id);
  };
  const foundInNext = (memory: Memory) => found(memory, next, NEXT_VECTOR);

  async function storeMany(count: number): Promise<Memory[]> {
    const memories: Memory[] = [];
    for (let index = 0; index < count; index++) {
      memories.push(await storeMemory(db, newCompanyId()));
    }
    return memories.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  test("pages hold every memory once, superseded ones too, and give the text of those without the vector", async () => {
    const memories = await storeMany(7);
    const [first, second] = memories;
    if (first === undefined || second === undefined) throw new Error("unreachable");
    await supersede(db, second, null);
    await fill(first);
    const listed: unknown[] = [];
    let after: MemoryPosition | null = null;
    for (;;) {
      const page = await listMemoriesToFill(db, next, { after, limit: 3 });
      listed.push(...page);
      after = page.at(-1) ?? null;
      if (page.length < 3) break;
    }
    expect(listed).toEqual(
      memories.map(({ id, companyId, decision }) => ({
        id,
        companyId,
        decision: id === first.id ? null : decision,
      })),
    );
    expect(await countVectors(db, next)).toEqual({ memories: 7, missing: 6 });
  });

  test("a filled vector knows the memory's end and supersession, also a later one", async () => {
    const [current, ended, supersededBefore, supersededAfter, restored] = await storeMany(5);
    if (!current || !ended || !supersededBefore || !supersededAfter || !restored) throw new Error();
    await supersede(db, supersededBefore, null);
    await supersede(db, restored, null);
    expect(await fill(current, ended, supersededBefore, supersededAfter, restored)).toBe(5);
    await supersede(db, supersededAfter, null);
    await restore(db, restored);
    expect(await toNext()).toBe(0);
    expect(await foundInNext(current)).toEqual([current.id]);
    expect(await foundInNext(restored)).toEqual([restored.id]);
    expect(await foundInNext(supersededBefore)).toEqual([]);
    expect(await foundInNext(supersededAfter)).toEqual([]);
  });

  test("nothing is cut over while one vector is missing, and everything once none is", async () => {
    const memories = await storeMany(3);
    const [first, ...others] = memories;
    if (first === undefined) throw new Error("unreachable");
    await fill(...others);
    expect(await toNext()).toBe(1);
    expect((await findActiveSpace(db)).id).not.toBe(next);
    expect(await foundInNext(first)).toBeUndefined();
    await fill(first);
    expect(await toNext()).toBe(0);
    expect(await findActiveSpace(db)).toEqual({ ...NEXT_SPACE, id: next });
    for (const memory of memories) {
      expect(await foundInNext(memory)).toEqual([memory.id]);
      expect(await found(memory, present, [1, 0, 0, 0])).toBeUndefined();
    }
    expect(await toNext()).toBe(0);
  });

  test("vectors of the active and of the kept space stay, all others go", async () => {
    const memories = await storeMany(5);
    await fill(...memories);
    const remove = async (kept: number | null) => {
      let removed = 0;
      let after: MemoryPosition | null = null;
      for (;;) {
        const page: Awaited<ReturnType<typeof removeOldVectors>> = await transaction(db, (trx) =>
          removeOldVectors(trx, kept, { after, limit: 2 }),
        );
        removed += page.removed;
        after = page.memories.at(-1) ?? null;
        if (page.memories.length < 2) return removed;
      }
    };
    expect(await remove(next)).toBe(0);
    await toNext();
    expect(await remove(present)).toBe(0);
    expect(await remove(null)).toBe(5);
    expect(await countVectors(db, next)).toEqual({ memories: 5, missing: 0 });
    expect(await countVectors(db, present)).toEqual({ memories: 5, missing: 5 });
  });

  test("every statement names the account, but for those that are about the whole database", async () => {
    expect(statementsAcrossAccounts(statements)).toEqual([
      "countVectors",
      "listMemories",
      "removeOldVectors",
    ]);
  });
});

/** Of every write of the tests below. */
const WRITER = newCompanyId();

describe.runIf(TEST_ENGINES.includes("postgres"))("a write in flight on another server", () => {
  let opened: TestDatabase;
  let other: Database;
  let next: number;
  beforeEach(async () => {
    opened = await openTestDatabase("postgres");
    other = await openDatabase(opened.location);
    [, next = 0] = await claimEmbeddingSpaces(opened.database.db, [TEST_SPACE, NEXT_SPACE]);
  });
  afterEach(async () => {
    await other.close();
    await opened.close();
  });

  test("is waited for, though that server knows no next space, and then counts", async () => {
    const inserted = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const write = transaction(other.db.of(WRITER), async (trx) => {
      await writeMemories(trx, newWrite());
      inserted.resolve();
      await commit.promise;
    });
    await inserted.promise;
    const moved = transaction(opened.database.db, (trx) => cutOver(trx, next));
    await waitForLock(opened.database.db);
    commit.resolve();
    await write;
    expect(await moved).toBe(1);
  });

  test("that has not stored its vectors yet is refused after the cut over", async () => {
    const started = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const write = transaction(other.db.of(WRITER), async (trx) => {
      await sql`select 1`.execute(trx);
      started.resolve();
      await goOn.promise;
      await writeMemories(trx, newWrite());
    });
    await started.promise;
    expect(await transaction(opened.database.db, (trx) => cutOver(trx, next))).toBe(0);
    goOn.resolve();
    await expect(write).rejects.toMatchObject({ reason: "model_unavailable" });
  });

  test.for(["new", "prepared"] as const)(
    "that waits for the cut over sees what it did (%s)",
    async (which) => {
      const { db } = opened.database;
      if (which === "prepared") {
        // A connection that has prepared the statement parses it no more.
        await transaction(other.db.of(WRITER), (trx) => writeMemories(trx, newWrite()));
        await eraseAll(other.db, WRITER);
      }
      const locked = Promise.withResolvers<void>();
      const commit = Promise.withResolvers<void>();
      const moved = transaction(db, async (trx) => {
        await cutOver(trx, next);
        locked.resolve();
        await commit.promise;
      });
      await locked.promise;
      const write = transaction(other.db.of(WRITER), (trx) => writeMemories(trx, newWrite()));
      const outcome = expect(write).rejects.toMatchObject({ reason: "model_unavailable" });
      await waitForLock(db);
      commit.resolve();
      await moved;
      await outcome;
    },
  );

  test("that takes too long makes the cut over give up, to be tried again", async () => {
    const inserted = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const write = transaction(other.db.of(WRITER), async (trx) => {
      await writeMemories(trx, newWrite());
      inserted.resolve();
      await commit.promise;
    });
    await inserted.promise;
    await expect(
      transaction(opened.database.db, (trx) => cutOver(trx, next)),
    ).rejects.toMatchObject({ reason: "storage_unavailable" });
    commit.resolve();
    await write;
  });

  /** Of one memory, with a vector in the present space alone. */
  function newWrite() {
    return writeOf({ created: [newMemory(WRITER)] });
  }

  async function waitForLock(db: ServiceDb): Promise<void> {
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select from pg_locks join pg_class on pg_class.oid = relation
          where relname = 'memory_vectors' and not granted`.execute(db);
        return rows.length;
      })
      .toBe(1);
  }
});
