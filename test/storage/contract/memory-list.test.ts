import { describe, expect, test } from "vitest";
import type { CompanyId } from "../../../src/domain/ids.ts";
import type { Memory } from "../../../src/domain/memory.ts";
import { type MemoryFilter, selectMemories } from "../../../src/storage/memory-list.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  minutes,
  NO_FILTERS,
  NOW,
  newCompanyId,
  newMemory,
  storeMemories,
  storeMemory,
  supersede,
} from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("the list of memories on %s", (engine) => {
  const contract = useStorage(engine);

  const page = (companyId: CompanyId, fields: Partial<MemoryFilter> = {}) =>
    selectMemories(contract.db.of(companyId), {
      tenantId: null,
      source: null,
      includeSuperseded: false,
      ...NO_FILTERS,
      now: NOW,
      limit: 100,
      maxTextBytes: Number.MAX_SAFE_INTEGER,
      after: null,
      ...fields,
    });
  const list = async (...of: Parameters<typeof page>) => (await page(...of)).memories;
  const idsOf = (memories: readonly Memory[]) => memories.map(({ id }) => id);

  test("newest first, and by ID where times are equal", async () => {
    const companyId = newCompanyId();
    const sameTime = [
      await storeMemory(contract.db, companyId),
      await storeMemory(contract.db, companyId),
    ];
    const newest = await storeMemory(contract.db, companyId, { createdAt: NOW + 1n });
    const oldest = await storeMemory(contract.db, companyId, { createdAt: NOW - 1n });
    expect(idsOf(await list(companyId))).toEqual([
      newest.id,
      ...idsOf(sameTime).toSorted().toReversed(),
      oldest.id,
    ]);
  });

  test("a tenant's memories only; without one the default tenant's, never all", async () => {
    const companyId = newCompanyId();
    const mine = await storeMemory(contract.db, companyId, { tenantId: "mine" });
    const ofDefault = await storeMemory(contract.db, companyId);
    await storeMemory(contract.db, newCompanyId(), { tenantId: "mine" });
    expect(await list(companyId, { tenantId: "mine" })).toEqual([mine]);
    expect(await list(companyId, { tenantId: null })).toEqual([ofDefault]);
    expect(await list(companyId, { tenantId: "MINE" })).toEqual([]);
  });

  test("one source only", async () => {
    const companyId = newCompanyId();
    const email = await storeMemory(contract.db, companyId, { source: "email" });
    await storeMemory(contract.db, companyId, { source: "agent" });
    expect(await list(companyId, { source: "email" })).toEqual([email]);
  });

  test("current memories, unless the others are asked for", async () => {
    const companyId = newCompanyId();
    const [current, expired, ended, replaced, future] = [
      await storeMemory(contract.db, companyId, { createdAt: NOW + 5n }),
      await storeMemory(contract.db, companyId, { validTo: NOW, createdAt: NOW + 4n }),
      await storeMemory(contract.db, companyId, { createdAt: NOW + 3n }),
      await storeMemory(contract.db, companyId, { createdAt: NOW + 2n }),
      await storeMemory(contract.db, companyId, { validTo: NOW + 1n, createdAt: NOW + 1n }),
    ];
    await supersede(contract.db, ended, null, NOW + minutes(9));
    await supersede(contract.db, replaced, current);
    expect(idsOf(await list(companyId))).toEqual(idsOf([current, future]));
    expect(idsOf(await list(companyId, { includeSuperseded: true }))).toEqual(
      idsOf([current, expired, ended, replaced, future]),
    );
  });

  test("as of a moment: from its start, until before its end, superseded since or not", async () => {
    const companyId = newCompanyId();
    const memory = await storeMemory(contract.db, companyId, { validFrom: NOW });
    await supersede(contract.db, memory, null, NOW + 10n);
    const foundAt = async (asOf: bigint) =>
      (await list(companyId, { asOf, now: NOW + minutes(60) })).length;
    expect(await foundAt(NOW - 1n)).toBe(0);
    expect(await foundAt(NOW)).toBe(1);
    expect(await foundAt(NOW + 9n)).toBe(1);
    expect(await foundAt(NOW + 10n)).toBe(0);
  });

  test("as of a moment, an empty interval held never", async () => {
    const companyId = newCompanyId();
    const memory = await storeMemory(contract.db, companyId);
    await supersede(contract.db, memory, null, NOW);
    expect(await list(companyId, { asOf: NOW })).toEqual([]);
  });

  test("pages run through everything once, while others write", async () => {
    const companyId = newCompanyId();
    const stored = Array.from({ length: 25 }, (_, index) =>
      // Many of the same time, so that the ID has to decide.
      newMemory(companyId, { createdAt: NOW + BigInt(Math.floor(index / 10)) }),
    );
    await storeMemories(contract.db, stored);
    const seen: Memory[] = [];
    let after: MemoryFilter["after"] = null;
    for (;;) {
      const { memories, hasMore } = await page(companyId, { limit: 4, after });
      seen.push(...memories);
      const last = memories.at(-1);
      if (!hasMore || last === undefined) break;
      after = { createdAt: last.createdAt, id: last.id };
      await storeMemory(contract.db, companyId, { createdAt: NOW + minutes(1) });
    }
    const newestFirst = stored
      .map(({ memory }) => memory)
      .toSorted((a, b) => Number(b.createdAt - a.createdAt) || (a.id < b.id ? 1 : -1));
    expect(idsOf(seen)).toEqual(idsOf(newestFirst));
  });

  test("D37 pages: as many memories as their texts allow, counted as they are sent", async () => {
    const companyId = newCompanyId();
    const once = { decision: "Köln", summary: "Köln", originalMessage: "Köln", topic: "Städte" };
    const apart = { ...once, summary: "In Köln.", originalMessage: "Ada: in Köln" };
    const stored = [
      await storeMemory(contract.db, companyId, { ...once, createdAt: NOW + 2n }),
      await storeMemory(contract.db, companyId, { ...apart, createdAt: NOW + 1n }),
      await storeMemory(contract.db, companyId, { ...once, createdAt: NOW }),
    ];
    const [first = 0, second = 0, third = 0] = stored.map(textBytesOf);
    const found = async (maxTextBytes: number, limit = 100) => {
      const { memories, hasMore } = await page(companyId, { maxTextBytes, limit });
      return { count: memories.length, hasMore };
    };
    expect(await found(first + second + third)).toEqual({ count: 3, hasMore: false });
    expect(await found(first + second + third - 1)).toEqual({ count: 2, hasMore: true });
    expect(await found(first + second)).toEqual({ count: 2, hasMore: true });
    expect(await found(first + second - 1)).toEqual({ count: 1, hasMore: true });
    expect(await found(first + second + third, 2)).toEqual({ count: 2, hasMore: true });
  });

  test("D37 pages: one memory is found however long it is, and none where there is none", async () => {
    const companyId = newCompanyId();
    expect(await page(companyId, { maxTextBytes: 1 })).toEqual({ memories: [], hasMore: false });
    const memory = await storeMemory(contract.db, companyId);
    expect(await page(companyId, { maxTextBytes: 1 })).toEqual({
      memories: [memory],
      hasMore: false,
    });
    await storeMemory(contract.db, companyId, { createdAt: memory.createdAt - 1n });
    expect(await page(companyId, { maxTextBytes: 1 })).toEqual({
      memories: [memory],
      hasMore: true,
    });
  });
});

function textBytesOf({ decision, summary, originalMessage, topic }: Memory): number {
  return Buffer.byteLength(decision + summary + originalMessage + topic);
}
