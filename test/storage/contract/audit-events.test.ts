import { describe, expect, test } from "vitest";
import type { AuditEvent } from "../../../src/domain/audit-event.ts";
import type { CompanyId, MemoryId } from "../../../src/domain/ids.ts";
import { lockMemories } from "../../../src/storage/memory-locks.ts";
import { writeMemories } from "../../../src/storage/memory-writes.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  appendEvents,
  findLastSequences,
  historyOf,
  NOW,
  newCompanyId,
  newMemoryId,
  storeMemory,
  writeOf,
} from "./fixture.ts";
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
    await appendEvents(contract.db, companyId, events);
    await appendEvents(contract.db, companyId, [later]);
    expect(await historyOf(contract.db.of(companyId), a.id)).toEqual([events[0], events[2], later]);
    expect(await historyOf(contract.db.of(companyId), b.id)).toEqual([events[1]]);
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
    await appendEvents(contract.db, companyId, [eventOf(id, { detail })]);
    expect(await historyOf(contract.db.of(companyId), id)).toEqual([eventOf(id, { detail })]);
  });

  test("writers that hold the memory's lock append without a gap or a loss", async () => {
    const companyId = newCompanyId();
    const { id } = await storeMemory(contract.db, companyId);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        transaction(contract.db.of(companyId), async (trx) => {
          await lockMemories(trx, [id]);
          const lastSequences = await findLastSequences(trx, [id]);
          const events = [eventOf(id, { detail: { index } })];
          await writeMemories(trx, writeOf({ events, lastSequences }));
        }),
      ),
    );
    const { length } = await historyOf(contract.db.of(companyId), id);
    expect(length).toBe(20);
    expect(await lastSequences(companyId, [id])).toEqual(new Map([[id, 20]]));
  });

  test("a memory without events has no history", async () => {
    expect(await historyOf(contract.db.of(newCompanyId()), newMemoryId())).toEqual([]);
  });

  test("the last sequence is that of each memory of the account, 0 where it has no events", async () => {
    const companyId = newCompanyId();
    const other = newCompanyId();
    const [twice, once, never] = [
      await storeMemory(contract.db, companyId),
      await storeMemory(contract.db, companyId),
      await storeMemory(contract.db, companyId),
    ];
    const foreign = await storeMemory(contract.db, other);
    await appendEvents(contract.db, companyId, [
      eventOf(twice.id),
      eventOf(once.id),
      eventOf(twice.id),
    ]);
    await appendEvents(contract.db, other, [eventOf(foreign.id)]);
    const ids = [twice, once, never, foreign].map(({ id }) => id);
    expect(await lastSequences(companyId, ids)).toEqual(
      new Map([
        [twice.id, 2],
        [once.id, 1],
        [never.id, 0],
      ]),
    );
    expect(await lastSequences(companyId, [])).toEqual(new Map());
  });

  test("a sequence that was given before is refused", async () => {
    const companyId = newCompanyId();
    const { id } = await storeMemory(contract.db, companyId);
    await appendEvents(contract.db, companyId, [eventOf(id)]);
    const again = writeOf({ events: [eventOf(id)] });
    await expect(
      transaction(contract.db.of(companyId), (trx) => writeMemories(trx, again)),
    ).rejects.toMatchObject({ code: "23505" });
  });

  test("an event of a memory that the account does not have is refused", async () => {
    const { id } = await storeMemory(contract.db, newCompanyId());
    await expect(appendEvents(contract.db, newCompanyId(), [eventOf(id)])).rejects.toMatchObject({
      code: "23503",
    });
  });

  const lastSequences = (companyId: CompanyId, ids: readonly MemoryId[]) =>
    transaction(contract.db.of(companyId), (trx) => findLastSequences(trx, ids));
});

function eventOf(memoryId: MemoryId, fields: Partial<AuditEvent> = {}): AuditEvent {
  return { memoryId, event: "created", at: NOW, actor: "key", detail: {}, ...fields };
}
