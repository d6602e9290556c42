import { describe, expect, test } from "vitest";
import type { CompanyId } from "../../../src/domain/ids.ts";
import {
  type KeptRejectedFact,
  MAX_KEPT_REJECTED_FACTS,
} from "../../../src/domain/rejected-fact.ts";
import { deleteAccountWithoutMemories } from "../../../src/storage/accounts.ts";
import { eraseMemories } from "../../../src/storage/memory-erasure.ts";
import {
  deleteRejectedFact,
  keepRejectedFacts,
  listRejectedFacts,
} from "../../../src/storage/rejected-facts.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { countLockWaits, newAccount, newMemory, rejectedFact, storeMemories } from "./fixture.ts";
import { useStorage } from "./storage.ts";

const many = (count: number, fields: Partial<KeptRejectedFact> = {}) =>
  Array.from({ length: count }, () => rejectedFact(fields));

describe.for(TEST_ENGINES)("rejected facts on %s", (engine) => {
  const contract = useStorage(engine);

  async function newUser() {
    const { companyId } = await newAccount(contract.db);
    const db = contract.db.of(companyId);
    return {
      companyId,
      db,
      keep: (...facts: readonly KeptRejectedFact[]) =>
        transaction(db, (trx) => keepRejectedFacts(trx, facts)),
      list: (beforeId: string | null = null, limit = 2 * MAX_KEPT_REJECTED_FACTS) =>
        listRejectedFacts(db, { beforeId, limit }),
    };
  }

  async function erase(companyId: CompanyId, tenantId?: string): Promise<void> {
    for await (const _ of eraseMemories(contract.db.of(companyId), tenantId));
  }

  test("what is kept is listed as it was, newest first, a page at a time", async () => {
    const [one, other] = [await newUser(), await newUser()];
    const [first, second, third] = [
      rejectedFact(),
      rejectedFact({ fact: null, message: null, messageIndex: null, sessionId: null }),
      rejectedFact({ tenantId: "acme", metadata: {}, isFactCut: true, isRetraction: true }),
    ];
    await one.keep(first, second);
    await one.keep(third);
    await other.keep(rejectedFact());
    expect(await one.list()).toEqual([third, second, first]);
    expect(await one.list(null, 1)).toEqual([third]);
    expect(await one.list(third.id)).toEqual([second, first]);
    expect(await other.list(third.id)).toHaveLength(0);
  });

  test("one is taken off the list, of the own account alone", async () => {
    const [one, other] = [await newUser(), await newUser()];
    const [kept, dismissed] = [rejectedFact(), rejectedFact()];
    await one.keep(kept, dismissed);
    await deleteRejectedFact(other.db, kept.id);
    await deleteRejectedFact(one.db, dismissed.id);
    await deleteRejectedFact(one.db, dismissed.id);
    expect(await one.list()).toEqual([kept]);
  });

  test("of too many the oldest are dropped, and nobody else's", async () => {
    const [one, other] = [await newUser(), await newUser()];
    const own = rejectedFact();
    await other.keep(own);
    const facts = many(MAX_KEPT_REJECTED_FACTS);
    await one.keep(...facts);
    expect(await one.list()).toHaveLength(MAX_KEPT_REJECTED_FACTS);
    const more = many(2);
    await one.keep(...more);
    const idsOf = (facts: readonly KeptRejectedFact[]) => facts.map(({ id }) => id);
    expect(idsOf(await one.list())).toEqual(idsOf([...facts.slice(2), ...more].toReversed()));
    const tooMany = many(MAX_KEPT_REJECTED_FACTS + 1);
    await one.keep(...tooMany);
    expect(idsOf(await one.list())).toEqual(idsOf(tooMany.slice(1).toReversed()));
    expect(await other.list()).toEqual([own]);
  });

  test("writes side by side do not wait for each other for ever, and the next one drops all that is too much", async () => {
    const one = await newUser();
    await one.keep(...many(MAX_KEPT_REJECTED_FACTS));
    await Promise.all(Array.from({ length: 6 }, () => one.keep(...many(50))));
    await one.keep(rejectedFact());
    expect(await one.list()).toHaveLength(MAX_KEPT_REJECTED_FACTS);
  });

  test("an erasure of a tenant takes those of the tenant, and one of the account all", async () => {
    const [one, other] = [await newUser(), await newUser()];
    await other.keep(rejectedFact({ tenantId: "acme" }));
    const ofNone = rejectedFact();
    await one.keep(ofNone, rejectedFact({ tenantId: "acme" }));
    await storeMemories(contract.db, [newMemory(one.companyId, { tenantId: "acme" })]);
    await erase(one.companyId, "acme");
    expect(await one.list()).toEqual([ofNone]);
    // Also where there is no memory to erase.
    await erase(one.companyId);
    expect(await one.list()).toEqual([]);
    expect(await other.list()).toHaveLength(1);
  });

  test.skipIf(engine === "pglite")(
    "a write that commits while its tenant is erased loses what it rejected with its memory",
    async () => {
      const one = await newUser();
      const held = rejectedFact();
      await one.keep(held);
      const late = rejectedFact();
      let erasure: Promise<void> | undefined;
      await transaction(one.db, async (trx) => {
        await trx
          .selectFrom("rejected_facts")
          .select("id")
          .where("company_id", "=", one.companyId)
          .forUpdate()
          .execute();
        erasure = erase(one.companyId);
        // It has found what there is to erase, and waits for what is held.
        await expect.poll(() => countLockWaits(contract.db)).toBe(1);
        await storeMemories(contract.db, [newMemory(one.companyId)]);
        await one.keep(late);
        expect((await one.list()).map(({ id }) => id)).toContain(late.id);
      });
      await erasure;
      expect(await one.list()).toEqual([]);
    },
  );

  test("they go with their account", async () => {
    const one = await newUser();
    await one.keep(rejectedFact());
    expect(await transaction(one.db, deleteAccountWithoutMemories)).toBe(true);
    expect(await one.list()).toEqual([]);
    await expect(one.keep(rejectedFact())).rejects.toMatchObject({ reason: "unauthenticated" });
  });
});
