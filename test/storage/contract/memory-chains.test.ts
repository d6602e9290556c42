import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Memory } from "../../../src/domain/memory.ts";
import { findChain, findChainHeadId } from "../../../src/storage/memories.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { NOW, newCompanyId, storeMemory, supersede } from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("chains on %s", (engine) => {
  const contract = useStorage(engine);

  /** Memories whose `valid_from` follows the order of the list. */
  async function versions(companyId: string, count: number): Promise<Memory[]> {
    const memories: Memory[] = [];
    for (let index = 0; index < count; index++) {
      const validFrom = NOW + BigInt(index);
      memories.push(await storeMemory(contract.db, companyId, { validFrom }));
    }
    return memories;
  }

  const chainIds = async (companyId: string, id: string) =>
    (await findChain(contract.db, companyId, id)).map((memory) => memory.id);

  test("a memory that was never superseded is a chain of one, and its own head", async () => {
    const companyId = newCompanyId();
    const memory = await storeMemory(contract.db, companyId);
    expect(await findChain(contract.db, companyId, memory.id)).toEqual([memory]);
    expect(await findChainHeadId(contract.db, companyId, memory.id)).toBe(memory.id);
  });

  test("any memory of a chain finds all of it, oldest first, and the same head", async () => {
    const companyId = newCompanyId();
    const memories = await versions(companyId, 5);
    for (const [index, memory] of memories.entries()) {
      const next = memories[index + 1];
      if (next !== undefined) await supersede(contract.db, memory, next, memory.validFrom);
    }
    const ids = memories.map(({ id }) => id);
    for (const id of ids) {
      expect(await chainIds(companyId, id)).toEqual(ids);
      expect(await findChainHeadId(contract.db, companyId, id)).toBe(ids.at(-1));
    }
  });

  test("a merge is one chain with all its branches", async () => {
    const companyId = newCompanyId();
    // a, b -> d; c -> e; d, e -> f; and g apart.
    const [a, b, c, d, e, f, g] = await versions(companyId, 7);
    if (!a || !b || !c || !d || !e || !f || !g) throw new Error("unreachable: seven were stored");
    for (const [memory, by] of [
      [a, d],
      [b, d],
      [c, e],
      [d, f],
      [e, f],
    ] as const) {
      await supersede(contract.db, memory, by, memory.validFrom);
    }
    const merged = [a, b, c, d, e, f].map(({ id }) => id);
    for (const id of merged) expect(await chainIds(companyId, id)).toEqual(merged);
    expect(await chainIds(companyId, g.id)).toEqual([g.id]);
    expect(await findChainHeadId(contract.db, companyId, a.id)).toBe(f.id);
  });

  test("where validity starts at the same time, creation and then the ID decide", async () => {
    const companyId = newCompanyId();
    const head = await storeMemory(contract.db, companyId, { createdAt: NOW + 1n });
    const replaced = [
      await storeMemory(contract.db, companyId),
      await storeMemory(contract.db, companyId),
    ];
    for (const memory of replaced) await supersede(contract.db, memory, head);
    expect(await chainIds(companyId, head.id)).toEqual([
      ...replaced.map(({ id }) => id).toSorted(),
      head.id,
    ]);
  });

  test("an unknown ID has no chain and is its own head", async () => {
    const id = randomUUID();
    expect(await findChain(contract.db, newCompanyId(), id)).toEqual([]);
    expect(await findChainHeadId(contract.db, newCompanyId(), id)).toBe(id);
  });

  test("another account's chain is not found", async () => {
    const { id } = await storeMemory(contract.db, newCompanyId());
    expect(await findChain(contract.db, newCompanyId(), id)).toEqual([]);
  });
});
