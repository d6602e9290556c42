import { describe, expect, test } from "vitest";
import type { Instant } from "../../../src/domain/instant.ts";
import type { Provenance } from "../../../src/domain/memory.ts";
import { findMemoryRecord } from "../../../src/storage/memories.ts";
import { lockMemories } from "../../../src/storage/memory-locks.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  findMemory,
  instant,
  type NewMemoryFields,
  NOW,
  newCompanyId,
  newMemory,
  newMemoryId,
  storeMemories,
  storeMemory,
  TEST_SPACE,
  violates,
} from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("memories on %s", (engine) => {
  const contract = useStorage(engine);

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
    await storeMemories(contract.db, [stored]);
    const { id } = stored.memory;
    expect(await findMemory(contract.db, companyId, id)).toEqual(stored.memory);
    expect(await findMemoryRecord(contract.db.of(companyId), id)).toEqual({
      memory: stored.memory,
      provenance: stored.provenance,
      embedding: TEST_SPACE,
    });
  });

  test("memories are locked in ID order, each once, and only the account's", async () => {
    const companyId = newCompanyId();
    const memories = [
      await storeMemory(contract.db, companyId),
      await storeMemory(contract.db, companyId),
    ];
    const foreign = await storeMemory(contract.db, newCompanyId());
    const ids = memories.map(({ id }) => id);
    const asked = [
      ...ids.toSorted().toReversed(),
      ids[0] ?? newMemoryId(),
      foreign.id,
      newMemoryId(),
    ];
    const locked = await transaction(contract.db.of(companyId), (trx) => lockMemories(trx, asked));
    expect(locked.map(({ id }) => id)).toEqual(ids.toSorted());
  });

  test.for<{ rule: string; fields: NewMemoryFields }>([
    { rule: "importance is 1 to 10", fields: { importanceScore: 0 } },
    {
      rule: "a superseded memory has an end of validity",
      fields: { supersededAt: NOW },
    },
    {
      rule: "a memory is written as content or from messages",
      fields: { provenance: { mode: "other" as Provenance["mode"] } },
    },
  ])("the database itself holds: $rule", async ({ rule, fields }) => {
    await expect(storeMemory(contract.db, newCompanyId(), fields)).rejects.toSatisfy(
      violates(rule),
    );
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
    await expect(change).rejects.toSatisfy(violates(rule));
  });
});
