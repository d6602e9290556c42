import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { AuditEvent } from "../../../src/domain/audit-event.ts";
import { appendAuditEvents, listAuditEvents } from "../../../src/storage/audit-events.ts";
import { lockMemories } from "../../../src/storage/memories.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { NOW, newCompanyId, storeMemory } from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("audit events on %s", (engine) => {
  const contract = useStorage(engine);

  test("histories keep the order in which events were appended, whatever their times", async () => {
    const companyId = newCompanyId();
    const [a, b] = [
      await storeMemory(contract.db, companyId),
      await storeMemory(contract.db, companyId),
    ];
    const events = [
      eventOf(a.id, { at: NOW + 9n }),
      eventOf(b.id),
      eventOf(a.id, { event: "classified", at: NOW, actor: "classifier" }),
    ];
    const later = eventOf(a.id, { event: "superseded", at: NOW - 9n });
    await appendAuditEvents(contract.db, companyId, events);
    await appendAuditEvents(contract.db, companyId, [later]);
    expect(await listAuditEvents(contract.db, companyId, a.id)).toEqual([
      events[0],
      events[2],
      later,
    ]);
    expect(await listAuditEvents(contract.db, companyId, b.id)).toEqual([events[1]]);
  });

  test("a detail comes back as it was, whatever is in it", async () => {
    const companyId = newCompanyId();
    const { id } = await storeMemory(contract.db, companyId);
    const detail = {
      text: 'quotes ", {braces}, \\ back, NULL, 🌍',
      nothing: null,
      yes: true,
      number: 0.1,
      list: [1, "two", { three: [] }],
    };
    await appendAuditEvents(contract.db, companyId, [eventOf(id, { detail })]);
    expect(await listAuditEvents(contract.db, companyId, id)).toEqual([eventOf(id, { detail })]);
  });

  test("writers that hold the memory's lock append without a gap or a loss", async () => {
    const companyId = newCompanyId();
    const { id } = await storeMemory(contract.db, companyId);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        transaction(contract.db, async (trx) => {
          await lockMemories(trx, companyId, [id]);
          await appendAuditEvents(trx, companyId, [eventOf(id, { detail: { index } })]);
        }),
      ),
    );
    const { length } = await listAuditEvents(contract.db, companyId, id);
    expect(length).toBe(20);
  });

  test("no event is no statement, and a memory without events has no history", async () => {
    await appendAuditEvents(contract.db, newCompanyId(), []);
    expect(await listAuditEvents(contract.db, newCompanyId(), randomUUID())).toEqual([]);
  });

  test("an event of a memory that the account does not have is refused", async () => {
    const { id } = await storeMemory(contract.db, newCompanyId());
    await expect(
      appendAuditEvents(contract.db, newCompanyId(), [eventOf(id)]),
    ).rejects.toMatchObject({ code: "23503" });
  });
});

function eventOf(memoryId: string, fields: Partial<AuditEvent> = {}): AuditEvent {
  return { memoryId, event: "created", at: NOW, actor: "key", detail: {}, ...fields };
}
