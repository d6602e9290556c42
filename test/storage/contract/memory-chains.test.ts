import { describe, expect, test } from "vitest";
import type { AuditEvent } from "../../../src/domain/audit-event.ts";
import type { CompanyId, MemoryId } from "../../../src/domain/ids.ts";
import type { Memory } from "../../../src/domain/memory.ts";
import { readSupersessionHistory } from "../../../src/storage/memory-chains.ts";
import { lockWhatIsFound } from "../../../src/storage/memory-locks.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { appendEvents, NOW, newCompanyId, newMemoryId, storeMemory, supersede } from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("chains on %s", (engine) => {
  const contract = useStorage(engine);

  /** Memories whose `valid_from` follows the order of the list. */
  async function versions(companyId: CompanyId, count: number): Promise<Memory[]> {
    const memories: Memory[] = [];
    for (let index = 0; index < count; index++) {
      const validFrom = NOW + BigInt(index);
      memories.push(await storeMemory(contract.db, companyId, { validFrom }));
    }
    return memories;
  }
  describe("for a supersession", () => {
    test("what a look depends on is locked before it counts: then it looks again", async () => {
      const companyId = newCompanyId();
      const [memory, a, b] = await versions(companyId, 3);
      if (!memory || !a || !b) throw new Error("unreachable: three were stored");
      await supersede(contract.db, a, b, a.validFrom);
      const scope = [memory.id, a.id] as const;
      const looksWith = (locked: readonly MemoryId[]) =>
        transaction(contract.db.of(companyId), async (trx) => {
          let looks = 0;
          const look = () => {
            looks++;
            return readSupersessionHistory(trx, ...scope);
          };
          const found = await lockWhatIsFound(trx, locked, look, ({ chainHeadId: id }) =>
            id === null ? [] : [id],
          );
          expect(found.chainHeadId).toBe(b.id);
          return looks;
        });
      expect(await looksWith([memory.id, a.id])).toBe(2);
      expect(await looksWith([memory.id, a.id, b.id])).toBe(1);
      const growing = transaction(contract.db.of(companyId), (trx) =>
        lockWhatIsFound(
          trx,
          [],
          async () => newMemoryId(),
          (id) => [id],
        ),
      );
      await expect(growing).rejects.toMatchObject({ reason: "overloaded" });
    });

    test("the history is the memory's own: its last sequence and its last supersession", async () => {
      const companyId = newCompanyId();
      const [memory, by] = await versions(companyId, 2);
      if (!memory || !by) throw new Error("unreachable: two were stored");
      const eventOf = (memoryId: MemoryId, event: AuditEvent["event"], text: string) => ({
        memoryId,
        event,
        at: NOW,
        actor: "key",
        detail: { text },
      });
      const found = {
        chainHeadId: by.id,
        followedBy: null,
        lastEnd: null,
        earlier: [],
        lastSequences: new Map([[memory.id, 2]]),
      };
      expect(await readHistory(companyId, memory.id, null)).toEqual({
        ...found,
        chainHeadId: null,
        lastSequences: new Map([[memory.id, 0]]),
      });
      await appendEvents(contract.db, companyId, [
        eventOf(memory.id, "created", "1"),
        eventOf(memory.id, "classified", "2"),
        eventOf(by.id, "superseded", "of the replacement"),
      ]);
      expect(await readHistory(companyId, memory.id, by.id)).toEqual(found);
      await appendEvents(contract.db, companyId, [
        eventOf(memory.id, "superseded", "3"),
        eventOf(memory.id, "restored", "4"),
        eventOf(memory.id, "superseded", "5"),
        eventOf(memory.id, "restored", "6"),
      ]);
      const lastEnd = { actor: "key", detail: { text: "5" } };
      expect(await readHistory(companyId, memory.id, by.id)).toEqual({
        ...found,
        lastSequences: new Map([[memory.id, 6]]),
        lastEnd,
      });
    });
  });

  const readHistory = (companyId: CompanyId, ...scope: [MemoryId, MemoryId | null]) =>
    transaction(contract.db.of(companyId), (trx) => readSupersessionHistory(trx, ...scope));
});
