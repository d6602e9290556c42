import { fail } from "node:assert/strict";
import { describe, expect, test } from "vitest";
import type { AuditEvent } from "../../../src/domain/audit-event.ts";
import type { CompanyId, MemoryId } from "../../../src/domain/ids.ts";
import type { Instant } from "../../../src/domain/instant.ts";
import type { Memory } from "../../../src/domain/memory.ts";
import { searchMemories } from "../../../src/storage/memory-search.ts";
import { type MemoryWrite, writeMemories } from "../../../src/storage/memory-writes.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  ANY_SEARCH,
  findMemory,
  historyOf,
  NOW,
  newCompanyId,
  newMemory,
  newMemoryId,
  storeMemories,
  storeMemory,
  supersede,
  violates,
  writeOf,
} from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("writes of memories on %s", (engine) => {
  const contract = useStorage(engine);

  const write = (companyId: CompanyId, fields: Partial<MemoryWrite>) =>
    transaction(contract.db.of(companyId), (trx) => writeMemories(trx, writeOf(fields)));
  const find = ({ companyId, id }: Memory) => findMemory(contract.db, companyId, id);

  test("what is created, ended and recorded is one write", async () => {
    const companyId = newCompanyId();
    const old = await storeMemory(contract.db, companyId);
    const end = { validTo: NOW, supersededAt: NOW };
    const created = [newMemory(companyId), newMemory(companyId)];
    const [first, second] = created.map(({ memory }) => memory);
    if (!first || !second) throw new Error("unreachable: two are created");
    const events = [
      eventOf(first.id, "created"),
      eventOf(old.id, "superseded"),
      eventOf(second.id, "created"),
      eventOf(second.id, "classified"),
      eventOf(old.id, "restored"),
    ];
    const lastSequences = new Map([[old.id, 7]]);
    const ended = [{ id: old.id, supersededBy: first.id, ...end }];
    const fields = { created, ended, events, lastSequences };
    expect(await contract.queriesOf(() => write(companyId, fields))).toHaveLength(1);

    expect(await find(first)).toEqual(first);
    expect(await find(second)).toEqual(second);
    expect(await find(old)).toEqual({ ...old, supersededBy: first.id, ...end });
    expect(await similarIds(companyId)).toEqual([first.id, second.id].toSorted().toReversed());
    for (const { id } of [first, second, old]) {
      expect(await historyOf(contract.db.of(companyId), id)).toEqual(
        events.filter(({ memoryId }) => memoryId === id),
      );
    }
    expect(await sequencesOf(companyId, old.id)).toEqual([8, 9]);
    expect(await sequencesOf(companyId, second.id)).toEqual([1, 2]);
  });

  test("to write nothing is no statement", async () => {
    const nothing = () => write(newCompanyId(), {});
    expect(await contract.queriesOf(nothing)).toEqual([]);
  });

  test("of a write with a mistake nothing is stored", async () => {
    const companyId = newCompanyId();
    const old = await storeMemory(contract.db, companyId);
    const good = newMemory(companyId);
    const bad = newMemory(companyId, { importanceScore: 11 });
    const ended = [{ id: old.id, validTo: NOW, supersededBy: null, supersededAt: NOW }];
    const events = [eventOf(good.memory.id, "created")];
    await expect(write(companyId, { created: [good, bad], ended, events })).rejects.toSatisfy(
      violates("importance is 1 to 10"),
    );
    expect(await find(good.memory)).toBeNull();
    expect(await find(old)).toEqual(old);
  });

  describe("of more memories than one statement takes", () => {
    const COUNT = 1_001;

    test("a later one may have replaced an earlier one, in the same statement or another", async () => {
      const companyId = newCompanyId();
      const ids = Array.from({ length: COUNT }, newMemoryId);
      const created = ids.map((id, index) => {
        const supersededBy = ids[index + (index % 2 === 0 ? 1 : 500)];
        const end = supersededBy && { validTo: NOW, supersededBy, supersededAt: NOW };
        return newMemory(companyId, { id, ...end });
      });
      await write(companyId, { created });
      for (const index of [0, 1, 499, 500, COUNT - 2, COUNT - 1]) {
        const { memory = fail("no memory") } = created[index] ?? {};
        expect(await find(memory)).toEqual(memory);
      }
    });
  });

  describe("a vector", () => {
    test("of other dimensions than its space is refused, and nothing is stored", async () => {
      const companyId = newCompanyId();
      const good = newMemory(companyId);
      const other = newMemory(companyId, { embedding: [1, 0, 0] });
      await expect(storeMemories(contract.db, [good, other])).rejects.toThrow("embedding space");
      expect(await find(good.memory)).toBeNull();
      expect(await find(other.memory)).toBeNull();
    });

    test("that is missing is noticed in every statement of a write", async () => {
      const companyId = newCompanyId();
      const created = Array.from({ length: 600 }, () => newMemory(companyId));
      for (const index of [0, 599]) {
        const cut = created.map((each, at) => (at === index ? { ...each, vectors: [] } : each));
        await expect(storeMemories(contract.db, cut)).rejects.toMatchObject({
          reason: "model_unavailable",
        });
      }
      expect(await similarIds(companyId)).toEqual([]);
    });
  });

  describe("an end", () => {
    test("comes once, and the first one stays", async () => {
      const companyId = newCompanyId();
      const memory = await storeMemory(contract.db, companyId);
      await supersede(contract.db, memory, null);
      await expect(supersede(contract.db, memory, null, NOW + 1n)).rejects.toThrow(NOT_AS_SAID);
      expect((await find(memory))?.validTo).toBe(NOW);
      expect(await endsOfVectors(companyId)).toEqual([NOW]);
    });

    test.for(["unknown", "another account's", "named twice"] as const)(
      "of a memory that is %s is an error, and no other memory ends",
      async (which) => {
        const companyId = newCompanyId();
        const memory = await storeMemory(contract.db, companyId);
        const foreign = await storeMemory(contract.db, newCompanyId());
        const id = {
          unknown: newMemoryId(),
          "another account's": foreign.id,
          "named twice": memory.id,
        }[which];
        const ended = [memory.id, id].map((endedId) => ({
          id: endedId,
          validTo: NOW,
          supersededBy: null,
          supersededAt: NOW,
        }));
        await expect(write(companyId, { ended })).rejects.toThrow(NOT_AS_SAID);
        expect(await find(memory)).toEqual(memory);
        expect(await find(foreign)).toEqual(foreign);
        expect(await similarIds(foreign.companyId)).toEqual([foreign.id]);
      },
    );
  });

  async function similarIds(companyId: CompanyId, now: Instant = NOW): Promise<MemoryId[]> {
    const similar = await searchMemories(contract.db.of(companyId), { ...ANY_SEARCH, now });
    return (similar?.memories ?? []).map(({ memory }) => memory.id);
  }

  async function endsOfVectors(companyId: CompanyId): Promise<(Instant | null)[]> {
    const rows = await contract.db
      .selectFrom("memory_vectors")
      .select("valid_to")
      .where("company_id", "=", companyId)
      .execute();
    return rows.map(({ valid_to }) => valid_to);
  }

  async function sequencesOf(companyId: CompanyId, memoryId: MemoryId): Promise<number[]> {
    const rows = await contract.db
      .selectFrom("audit_events")
      .select("sequence")
      .where("company_id", "=", companyId)
      .where("memory_id", "=", memoryId)
      .orderBy("sequence")
      .execute();
    return rows.map(({ sequence }) => sequence);
  }
});

const NOT_AS_SAID = "were not given or taken back before";

function eventOf(memoryId: MemoryId, event: AuditEvent["event"]): AuditEvent {
  return { memoryId, event, at: NOW, actor: "key", detail: {} };
}
