import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Instant } from "../../../src/domain/instant.ts";
import type { Provenance } from "../../../src/domain/memory.ts";
import {
  findMemory,
  findMemoryRecord,
  insertMemories,
  lockMemories,
  markRestored,
  markSuperseded,
  memoryExists,
} from "../../../src/storage/memories.ts";
import { findSimilarMemories } from "../../../src/storage/memory-vectors.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  instant,
  inTestSpace,
  minutes,
  type NewMemoryFields,
  NOW,
  newCompanyId,
  newMemory,
  storeMemory,
  supersede,
  TEST_SPACE,
} from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("memories on %s", (engine) => {
  const contract = useStorage(engine, ["memoryExists"]);

  test("a memory comes back as it was stored", async () => {
    const companyId = newCompanyId();
    const stored = newMemory(companyId, {
      tenantId: "tenant 1",
      decision: "  white space,\n\"quotes\", 'quotes', \\ {curly}, 🌍 and NULL  ",
      summary: "NULL",
      topic: "Travel",
      importanceScore: 10,
      source: "chat_tool",
      createdAt: instant("2026-05-04T03:02:01.000001Z"),
      validFrom: instant("1969-12-31T23:59:59.999999Z"),
      validTo: instant("2026-05-04T03:02:01.999999Z"),
      originalMessage: "",
      provenance: {
        mode: "messages",
        sessionId: "session",
        messageIndex: 0,
        extraction: { provider: "local", model: "rules", byoLlm: true },
      },
    });
    await transaction(contract.db, (trx) => insertMemories(trx, [stored]));
    const { id } = stored.memory;
    expect(await findMemory(contract.db, companyId, id)).toEqual(stored.memory);
    expect(await findMemoryRecord(contract.db, companyId, id)).toEqual({
      memory: stored.memory,
      provenance: stored.provenance,
      embedding: TEST_SPACE,
    });
  });

  test("every time that the interface can express is kept to the microsecond", async () => {
    const companyId = newCompanyId();
    for (const text of [
      "0001-01-01T00:00:00Z",
      "1582-10-10T00:00:00.000001Z",
      "1900-02-28T23:59:59.999999Z",
      "2024-02-29T12:00:00.5Z",
      "9999-12-31T23:59:59.999999Z",
    ]) {
      const { id } = await storeMemory(contract.db, companyId, { validFrom: instant(text) });
      expect((await findMemory(contract.db, companyId, id))?.validFrom).toBe(instant(text));
    }
  });

  test("the default tenant is null, stored and read", async () => {
    const companyId = newCompanyId();
    const { id } = await storeMemory(contract.db, companyId, { tenantId: null });
    expect((await findMemory(contract.db, companyId, id))?.tenantId).toBeNull();
  });

  test("an empty list stores nothing: no statement runs", async () => {
    await transaction(contract.db, async (trx) => {
      const before = contract.lastQuery();
      await insertMemories(trx, []);
      expect(contract.lastQuery()).toBe(before);
    });
  });

  test("more memories than one statement takes are stored all the same", async () => {
    const companyId = newCompanyId();
    const memories = Array.from({ length: 1_001 }, () => newMemory(companyId));
    await transaction(contract.db, (trx) => insertMemories(trx, memories));
    const ids = memories.map(({ memory }) => memory.id);
    const locked = await transaction(contract.db, (trx) => lockMemories(trx, companyId, ids));
    expect(locked.map(({ id }) => id)).toEqual(ids.toSorted());
  });

  test("of a batch with a mistake nothing is stored", async () => {
    const companyId = newCompanyId();
    const good = newMemory(companyId);
    const bad = newMemory(companyId, { importanceScore: 11 });
    await expect(
      transaction(contract.db, (trx) => insertMemories(trx, [good, bad])),
    ).rejects.toMatchObject({ constraint: "importance is 1 to 10" });
    expect(await findMemory(contract.db, companyId, good.memory.id)).toBeNull();
  });

  test("a vector of other dimensions than the database's space is refused", async () => {
    const companyId = newCompanyId();
    const other = newMemory(companyId, { embedding: [1, 0, 0] });
    await expect(
      transaction(contract.db, (trx) => insertMemories(trx, [newMemory(companyId), other])),
    ).rejects.toThrow("embedding space");
    expect(await findMemory(contract.db, companyId, other.memory.id)).toBeNull();
  });

  test("another account's memory is not found, but is known to exist", async () => {
    const { id } = await storeMemory(contract.db, newCompanyId());
    const companyId = newCompanyId();
    expect(await findMemory(contract.db, companyId, id)).toBeNull();
    expect(await findMemoryRecord(contract.db, companyId, id)).toBeNull();
    expect(await memoryExists(contract.db, id)).toBe(true);
    expect(await memoryExists(contract.db, randomUUID())).toBe(false);
  });

  test("memories are locked in ID order, each once, and only the account's", async () => {
    const companyId = newCompanyId();
    const memories = [
      await storeMemory(contract.db, companyId),
      await storeMemory(contract.db, companyId),
    ];
    const foreign = await storeMemory(contract.db, newCompanyId());
    const ids = memories.map(({ id }) => id);
    const asked = [...ids.toSorted().toReversed(), ids[0] ?? "", foreign.id, randomUUID()];
    const locked = await transaction(contract.db, (trx) => lockMemories(trx, companyId, asked));
    expect(locked.map(({ id }) => id)).toEqual(ids.toSorted());
  });

  test("a superseded memory keeps its row and leaves retrieval", async () => {
    const companyId = newCompanyId();
    const old = await storeMemory(contract.db, companyId);
    const replacement = await storeMemory(contract.db, companyId);
    await supersede(contract.db, old, replacement, NOW + minutes(1));
    expect(await findMemory(contract.db, companyId, old.id)).toEqual({
      ...old,
      validTo: NOW + minutes(1),
      supersededBy: replacement.id,
      supersededAt: NOW,
    });
    expect(await similarIds(companyId, NOW)).toEqual([replacement.id]);
  });

  test("an end in the future takes a memory out of retrieval at once", async () => {
    const companyId = newCompanyId();
    const memory = await storeMemory(contract.db, companyId);
    await supersede(contract.db, memory, null, NOW + minutes(60));
    expect(await similarIds(companyId, NOW)).toEqual([]);
  });

  test("a memory is superseded once", async () => {
    const companyId = newCompanyId();
    const memory = await storeMemory(contract.db, companyId);
    await supersede(contract.db, memory, null);
    await expect(supersede(contract.db, memory, null, NOW + 1n)).rejects.toThrow(
      "superseded again",
    );
    expect((await findMemory(contract.db, companyId, memory.id))?.validTo).toBe(NOW);
  });

  test("a restored memory is as it was before, in retrieval too", async () => {
    const companyId = newCompanyId();
    const memory = await storeMemory(contract.db, companyId, { validTo: NOW + minutes(9) });
    await supersede(contract.db, memory, await storeMemory(contract.db, companyId), NOW);
    await transaction(contract.db, async (trx) => {
      await lockMemories(trx, companyId, [memory.id]);
      await markRestored(trx, companyId, memory.id, memory.validTo);
    });
    expect(await findMemory(contract.db, companyId, memory.id)).toEqual(memory);
    expect(await similarIds(companyId, NOW)).toContain(memory.id);
    expect(await similarIds(companyId, NOW + minutes(9))).not.toContain(memory.id);
  });

  test("a memory that is not superseded can't be restored", async () => {
    const companyId = newCompanyId();
    const { id } = await storeMemory(contract.db, companyId);
    await expect(
      transaction(contract.db, (trx) => markRestored(trx, companyId, id, null)),
    ).rejects.toThrow("not superseded");
  });

  test("to supersede an unknown memory is an error", async () => {
    const change = { validTo: NOW, supersededBy: null, supersededAt: NOW };
    await expect(
      transaction(contract.db, (trx) => markSuperseded(trx, newCompanyId(), randomUUID(), change)),
    ).rejects.toThrow("superseded again");
  });

  test.for<{ rule: string; fields: NewMemoryFields }>([
    { rule: "importance is 1 to 10", fields: { importanceScore: 0 } },
    { rule: "validity does not end before it starts", fields: { validTo: NOW - 1n } },
    {
      rule: "a superseded memory has an end of validity",
      fields: { supersededAt: NOW },
    },
    {
      rule: "a message index is not negative",
      fields: { provenance: { messageIndex: -1 } },
    },
    {
      rule: "a memory is written as content or from messages",
      fields: { provenance: { mode: "other" as Provenance["mode"] } },
    },
  ])("the database itself holds: $rule", async ({ rule, fields }) => {
    await expect(storeMemory(contract.db, newCompanyId(), fields)).rejects.toMatchObject({
      constraint: rule,
    });
  });

  test.for<{
    rule: string;
    write: {
      validTo: Instant;
      supersededAt: Instant | null;
      by: "self" | "tenant" | "account" | "replacement";
    };
  }>([
    {
      rule: "a memory is not its own replacement",
      write: { validTo: NOW, supersededAt: NOW, by: "self" },
    },
    {
      rule: "a replacement is in the same account and tenant",
      write: { validTo: NOW, supersededAt: NOW, by: "tenant" },
    },
    {
      rule: "a replacement is in the same account and tenant",
      write: { validTo: NOW, supersededAt: NOW, by: "account" },
    },
    {
      rule: "a replaced memory is superseded",
      write: { validTo: NOW, supersededAt: null, by: "replacement" },
    },
  ])("the database itself holds: $rule ($write.by)", async ({ rule, write }) => {
    const companyId = newCompanyId();
    const memory = await storeMemory(contract.db, companyId, { tenantId: "mine" });
    const replacements = {
      self: memory,
      tenant: await storeMemory(contract.db, companyId, { tenantId: "other" }),
      account: await storeMemory(contract.db, newCompanyId(), { tenantId: "mine" }),
      replacement: await storeMemory(contract.db, companyId, { tenantId: "mine" }),
    };
    const change = contract.db
      .updateTable("memories")
      .set({
        valid_to: write.validTo,
        superseded_at: write.supersededAt,
        superseded_by: replacements[write.by].id,
      })
      .where("company_id", "=", companyId)
      .where("id", "=", memory.id)
      .execute();
    await expect(change).rejects.toMatchObject({ constraint: rule });
  });

  async function similarIds(companyId: string, now: Instant): Promise<string[]> {
    const similar = await findSimilarMemories(contract.db, {
      companyId,
      tenantId: null,
      sources: null,
      validFromAtMost: null,
      now,
      vector: inTestSpace([1, 0, 0, 0]),
      limit: 10,
    });
    return (similar ?? []).map(({ memory }) => memory.id);
  }
});
