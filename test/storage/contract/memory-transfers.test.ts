/** What exports read and imports write. */
import pg from "pg";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { HistoryEvent } from "../../../src/domain/audit-event.ts";
import type { CompanyId, MemoryId } from "../../../src/domain/ids.ts";
import type { Memory } from "../../../src/domain/memory.ts";
import { findFacts, readEvents } from "../../../src/storage/exported-memories.ts";
import {
  findOtherwiseFilled,
  findTakenIds,
  insertImported,
  lockImports,
  lockReplacements,
} from "../../../src/storage/memory-imports.ts";
import {
  findSnapshotMemories,
  type TenantScope,
  takeSnapshot,
} from "../../../src/storage/memory-snapshot.ts";
import type { SnapshotMemory } from "../../../src/storage/snapshot-table.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  appendEvents,
  eraseAll,
  historyOf,
  minutes,
  NOW,
  newCompanyId,
  newMemory,
  newMemoryId,
  restore,
  storeMemories,
  storeMemory,
  supersede,
} from "./fixture.ts";
import { useStorage } from "./storage.ts";

const MANY = 1_000_000;
const WHOLE: TenantScope = { wholeAccount: true };
const ofTenant = (tenantId: string | null): TenantScope => ({ wholeAccount: false, tenantId });
const { signal } = new AbortController();

describe.for(TEST_ENGINES)("exports and imports on %s", (engine) => {
  const contract = useStorage(engine, ["findTakenIds"]);
  afterEach(() => vi.restoreAllMocks());

  const dbOf = (companyId: CompanyId) => contract.db.of(companyId);

  async function snapshotOf(companyId: CompanyId, scope: TenantScope = WHOLE) {
    const snapshot = await takeSnapshot(dbOf(companyId), scope, MANY, signal);
    return snapshot?.slice(0, snapshot.length) ?? [];
  }

  const idsOf = (memories: readonly { readonly id: MemoryId }[]) => memories.map(({ id }) => id);

  const event = (memoryId: MemoryId, event: HistoryEvent["event"], text = "") => {
    return { memoryId, event, at: NOW, actor: "classifier", detail: { text } };
  };

  async function eventsOf(companyId: CompanyId, wanted: readonly SnapshotMemory[]) {
    const found: { id: MemoryId | undefined; sequence: number; event: string }[] = [];
    for await (const { place, sequence, event } of readEvents(dbOf(companyId), wanted)) {
      found.push({ id: wanted[place]?.id, sequence, event: event.event });
    }
    return found;
  }

  describe("a snapshot", () => {
    test("of a tenant, or of every one, each chain from its head", async () => {
      const companyId = newCompanyId();
      const [a, b, c, other, foreign] = await Promise.all([
        storeMemory(contract.db, companyId),
        storeMemory(contract.db, companyId),
        storeMemory(contract.db, companyId),
        storeMemory(contract.db, companyId, { tenantId: "other", validTo: NOW + minutes(1) }),
        storeMemory(contract.db, newCompanyId()),
      ]);
      await supersede(contract.db, a, b);
      await supersede(contract.db, b, c);
      const ended = (id: MemoryId, supersededBy: MemoryId) => {
        return { id, supersededBy, validTo: NOW, supersededAt: NOW, lastEndSequence: 0 };
      };
      const current = { supersededBy: null, supersededAt: null, lastEndSequence: 0 };
      const chain = [{ id: c.id, validTo: null, ...current }, ended(b.id, c.id), ended(a.id, b.id)];
      expect(await snapshotOf(companyId, ofTenant(null))).toEqual(chain);
      const rest = { id: other.id, validTo: NOW + minutes(1), ...current };
      expect(await snapshotOf(companyId, ofTenant("other"))).toEqual([rest]);
      expect(await snapshotOf(companyId)).toEqual([...chain, rest]);
      expect(await snapshotOf(companyId, ofTenant("none"))).toEqual([]);
      expect(await snapshotOf(foreign.companyId)).toHaveLength(1);
    });

    test("says how far a history went, and is null beyond its limit", async () => {
      const companyId = newCompanyId();
      const { id } = await storeMemory(contract.db, companyId);
      const created = [event(id, "created"), event(id, "classified")];
      await appendEvents(contract.db, companyId, created);
      expect(await snapshotOf(companyId)).toMatchObject([{ lastEndSequence: 0 }]);
      await appendEvents(contract.db, companyId, [event(id, "superseded"), event(id, "restored")]);
      expect(await snapshotOf(companyId)).toMatchObject([{ lastEndSequence: 4 }]);
      expect(await findSnapshotMemories(dbOf(companyId), [id, newMemoryId()])).toEqual(
        await snapshotOf(companyId),
      );
      expect(await takeSnapshot(dbOf(companyId), WHOLE, 0, signal)).toBeNull();
      expect(await takeSnapshot(dbOf(companyId), WHOLE, 1, signal)).not.toBeNull();
    });

    test("is of one moment, however many statements it takes", async () => {
      const companyId = newCompanyId();
      const created = Array.from({ length: 2_001 }, () => newMemory(companyId));
      await storeMemories(contract.db, created);
      const inOrder = created
        .map(({ memory }) => memory)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const [first, last] = [inOrder[0], inOrder.at(-1)] as [Memory, Memory];
      await supersede(contract.db, first, null);

      // Between its statements the end moves from the first memory to the last one.
      let moved: Promise<void> | undefined;
      const { query } = pg.Client.prototype;
      vi.spyOn(pg.Client.prototype, "query").mockImplementation(async function (
        this: pg.Client,
        ...args: unknown[]
      ) {
        const { text } = args[0] as { readonly text: string };
        if (moved === undefined && text.includes("(tenant_id, id) >")) {
          moved = (async () => {
            await restore(contract.db, first);
            await supersede(contract.db, last, null);
          })();
          // The embedded engine lets nobody in between.
          if (engine === "postgres") await moved;
        }
        return Reflect.apply(query, this, args);
      });
      const snapshot = await snapshotOf(companyId);
      expect(moved).toBeDefined();
      await moved;
      const isEnded = ({ supersededAt }: SnapshotMemory) => supersededAt !== null;
      expect(idsOf(snapshot)).toEqual(idsOf(inOrder));
      expect(idsOf(snapshot.filter(isEnded))).toEqual([first.id]);
      expect(idsOf((await snapshotOf(companyId)).filter(isEnded))).toEqual([last.id]);
    });
  });

  describe("what a snapshot leaves to be read", () => {
    test("is as it was then, whatever was written since", async () => {
      const companyId = newCompanyId();
      const provenance = { sessionId: "chat-7" };
      const known = { provenance, statedAt: NOW + minutes(1), category: "legal_status" };
      const memory = await storeMemory(contract.db, companyId, known);
      await appendEvents(contract.db, companyId, [event(memory.id, "created")]);
      const snapshot = await snapshotOf(companyId);
      await supersede(contract.db, memory, await storeMemory(contract.db, companyId));
      await appendEvents(contract.db, companyId, [event(memory.id, "superseded")]);
      const { found, looked } = await findFacts(dbOf(companyId), snapshot, MANY);
      expect(looked).toBe(1);
      expect(found).toMatchObject([
        { memory, provenance, statedAt: known.statedAt, category: known.category },
      ]);
      expect(await eventsOf(companyId, snapshot)).toMatchObject([{ event: "created" }]);
    });

    test("comes in its order, a page at a time, without what was erased", async () => {
      const companyId = newCompanyId();
      const decision = "x".repeat(100);
      const text = { decision, summary: decision, originalMessage: decision, topic: "" };
      const memories = [
        await storeMemory(contract.db, companyId, text),
        await storeMemory(contract.db, companyId, { ...text, tenantId: "gone" }),
        await storeMemory(contract.db, companyId, text),
      ];
      const snapshot = (await findSnapshotMemories(dbOf(companyId), idsOf(memories))).toSorted(
        (a, b) => idsOf(memories).indexOf(a.id) - idsOf(memories).indexOf(b.id),
      );
      await eraseAll(contract.db, companyId, "gone");
      const page = async (wanted: readonly SnapshotMemory[], maxTextBytes: number) => {
        const { found, looked } = await findFacts(dbOf(companyId), wanted, maxTextBytes);
        return { ids: found.map(({ memory: { id } }) => id), looked };
      };
      const [first, , last] = idsOf(memories);
      expect(await page(snapshot, 600)).toEqual({ ids: [first, last], looked: 3 });
      expect(await page(snapshot, 599)).toEqual({ ids: [first], looked: 1 });
      expect(await page(snapshot.slice(1), 1)).toEqual({ ids: [last], looked: 2 });
      expect(await page(snapshot.slice(1, 2), 1)).toEqual({ ids: [], looked: 1 });
    });

    test("histories of any length, one behind the other", async () => {
      const companyId = newCompanyId();
      const [long, short, wide] = (await Promise.all(
        [1, 2, 3].map(() => storeMemory(contract.db, companyId)),
      )) as [Memory, Memory, Memory];
      const many = Array.from({ length: 2_100 }, () => event(long.id, "trimmed"));
      await appendEvents(contract.db, companyId, [event(long.id, "created"), ...many]);
      await appendEvents(contract.db, companyId, [event(short.id, "created")]);
      const texts = Array.from({ length: 3 }, (_, i) =>
        event(wide.id, "trimmed", `${i}`.repeat(900_000)),
      );
      for (const each of [event(wide.id, "created"), ...texts]) {
        await appendEvents(contract.db, companyId, [each]);
      }
      const wanted = [long, short, wide].map(({ id }) => id);
      const snapshot = (await findSnapshotMemories(dbOf(companyId), wanted)).toSorted(
        (a, b) => wanted.indexOf(a.id) - wanted.indexOf(b.id),
      );
      const sequences = (id: MemoryId, count: number) =>
        Array.from({ length: count }, (_, i) => ({ id, sequence: i + 1 }));
      expect(await eventsOf(companyId, snapshot)).toMatchObject([
        ...sequences(long.id, 2_101),
        ...sequences(short.id, 1),
        ...sequences(wide.id, 4),
      ]);
    });
  });

  describe("an import", () => {
    test("finds whose IDs are taken, of every account", async () => {
      const companyId = newCompanyId();
      const mine = await storeMemory(contract.db, companyId);
      const foreign = await storeMemory(contract.db, newCompanyId());
      const taken = await findTakenIds(dbOf(companyId), [mine.id, foreign.id, newMemoryId()]);
      expect(taken).toEqual(
        new Map([
          [mine.id, { isOwn: true }],
          [foreign.id, { isOwn: false }],
        ]),
      );
    });

    test("finds tenants that hold something else than they were to", async () => {
      const companyId = newCompanyId();
      for (const tenantId of [null, "a", "a"]) {
        await storeMemory(contract.db, companyId, { tenantId });
      }
      const filled = (expected: [string | null, number][]) =>
        transaction(dbOf(companyId), (trx) => findOtherwiseFilled(trx, new Map(expected)));
      expect(await filled([])).toEqual([]);
      expect(
        await filled([
          [null, 1],
          ["a", 2],
          ["b", 0],
        ]),
      ).toEqual([]);
      const others = await filled([
        [null, 0],
        ["a", 3],
        ["b", 1],
      ]);
      expect(others.toSorted()).toEqual(["a", "b", null]);
    });

    test("takes turns with others of the same IDs, or into the same tenant", async () => {
      const [one, other] = [newCompanyId(), newCompanyId()];
      const ids = [newMemoryId(), newMemoryId()];
      const order: string[] = [];
      const held = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const first = transaction(dbOf(one), async (trx) => {
        await lockImports(trx, ["t"], ids);
        begun.resolve();
        await held.promise;
        order.push("first");
      });
      await begun.promise;
      const locks = (companyId: CompanyId, tenant: string[], id: MemoryId[], name: string) =>
        transaction(dbOf(companyId), (trx) => lockImports(trx, tenant, id)).then(() =>
          order.push(name),
        );
      const waiting = [locks(other, [], ids.toReversed(), "ids"), locks(one, ["t"], [], "tenant")];
      if (engine === "postgres") await locks(other, ["t"], [newMemoryId()], "apart");
      held.resolve();
      await Promise.all([first, ...waiting]);
      const expected = engine === "postgres" ? ["apart", "first"] : ["first"];
      expect(order.slice(0, expected.length)).toEqual(expected);
      expect(order.slice(expected.length).toSorted()).toEqual(["ids", "tenant"]);
    });

    test("locks replacements and the heads of their chains, and tells what follows", async () => {
      const companyId = newCompanyId();
      const starts = [30, 10, 20].map((minute) => NOW + minutes(minute));
      const [a, b, c] = (await Promise.all(
        starts.map((validFrom) => storeMemory(contract.db, companyId, { validFrom })),
      )) as [Memory, Memory, Memory];
      await supersede(contract.db, a, b);
      await supersede(contract.db, b, c);
      const foreign = await storeMemory(contract.db, newCompanyId());
      const locked = await transaction(dbOf(companyId), (trx) =>
        lockReplacements(trx, [a.id, c.id, foreign.id, newMemoryId()]),
      );
      expect(locked).toEqual(
        new Map([
          [a.id, { tenantId: null, validFrom: starts[0], followedBy: starts[1] }],
          [c.id, { tenantId: null, validFrom: starts[2], followedBy: null }],
        ]),
      );
      expect(await transaction(dbOf(companyId), (trx) => lockReplacements(trx, []))).toEqual(
        new Map(),
      );
    });

    test("stores memories behind their replacements, with histories of any length", async () => {
      const companyId = newCompanyId();
      const created: HistoryEvent = { event: "created", at: NOW, actor: "x", detail: { a: 1 } };
      const trimmed = Array.from({ length: 2_500 }, (_, index): HistoryEvent => {
        return { event: "trimmed", at: NOW, actor: "x", detail: { index } };
      });
      const head = { ...newMemory(companyId), history: [created] };
      const ended = { validTo: NOW, supersededBy: head.memory.id, supersededAt: NOW };
      const old = { ...newMemory(companyId, ended), history: [created, ...trimmed] };
      const others = Array.from({ length: 60 }, () => ({
        ...newMemory(companyId, { ...ended, supersededBy: old.memory.id }),
        history: [created],
      }));
      const all = [head, old, ...others];
      await transaction(dbOf(companyId), (trx) => insertImported(trx, all));
      for (const { memory, history } of [head, old, ...others.slice(-1)]) {
        const stored = await historyOf(dbOf(companyId), memory.id);
        expect(stored).toEqual(history.map((each) => ({ memoryId: memory.id, ...each })));
      }
      expect(await snapshotOf(companyId)).toHaveLength(all.length);
    });
  });
});
