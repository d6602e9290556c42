import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type ErasureScope, WHOLE_ACCOUNT } from "../../../src/domain/erasure.ts";
import type { CompanyId } from "../../../src/domain/ids.ts";
import {
  claimIdempotencyKey,
  completeIdempotencyKey,
  type IdempotencyClaim,
} from "../../../src/storage/idempotency-keys.ts";
import { eraseMemories } from "../../../src/storage/memory-erasure.ts";
import { writeMemories } from "../../../src/storage/memory-writes.ts";
import type { AccountTrx } from "../../../src/storage/schema.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  claimOf,
  countLockWaits,
  ERASER,
  eraseAll,
  NOW,
  newCompanyId,
  newMemory,
  storeMemories,
  storeMemory,
  supersede,
  textOfTenant,
  writeOf,
} from "./fixture.ts";
import { useStorage } from "./storage.ts";

const TEXT = textOfTenant(null);
const RESPONSE = { message: new Uint8Array(1), quotaExceededUntil: null };

describe.for(TEST_ENGINES)("erasure on %s", (engine) => {
  const contract = useStorage(engine);

  const erase = (companyId: CompanyId, scope: Partial<ErasureScope> = {}) =>
    eraseAll(contract.db, companyId, scope);

  test("chains longer than one batch's memories go whole", async () => {
    const companyId = newCompanyId();
    const head = await storeMemory(contract.db, companyId);
    const heads = Array.from({ length: 450 }, () => newMemory(companyId));
    const replaced = Array.from({ length: 50 }, () =>
      newMemory(companyId, { validTo: NOW, supersededAt: NOW, supersededBy: head.id }),
    );
    await storeMemories(contract.db, [...heads, ...replaced]);
    expect(await erase(companyId)).toBe(501);
  });

  test("that is given up leaves no response behind, and the next one finds the rest", async () => {
    const companyId = newCompanyId();
    await storeMemories(
      contract.db,
      Array.from({ length: 250 }, () => newMemory(companyId)),
    );
    const claim = claimOf(companyId);
    const db = contract.db.of(companyId);
    await claimIdempotencyKey(db, claim);
    await transaction(db, (trx) =>
      completeIdempotencyKey(trx, { claim, response: RESPONSE, textOf: TEXT }),
    );
    const abort = new AbortController();
    const caller = contract.db.forCall(companyId, abort.signal);
    const erasure = eraseMemories(caller, WHOLE_ACCOUNT, ERASER);
    expect(await erasure.next()).toEqual({ done: false, value: 100 });
    abort.abort(new Error("the client left"));
    await expect(erasure.next()).rejects.toThrow("the client left");
    const again = { ...claim, attemptId: randomUUID() };
    expect(await claimIdempotencyKey(db, again)).toEqual({ kind: "erased" });
    expect(await erase(companyId)).toBe(150);
  });

  test("a memory that joins a chain while the chain is erased goes with it", async () => {
    const companyId = newCompanyId();
    const old = await storeMemory(contract.db, companyId);
    await supersede(contract.db, old, await storeMemory(contract.db, companyId));
    const joined = { validTo: NOW, supersededAt: NOW, supersededBy: old.id };
    let erasure: Promise<number> | undefined;
    await transaction(contract.db.of(companyId), async (trx) => {
      await writeMemories(trx, writeOf({ created: [newMemory(companyId, joined)] }));
      // It finds the chain without this memory, and waits for this transaction.
      erasure = erase(companyId);
      await sleep(100);
    });
    expect(await erasure).toBe(3);
  });

  describe.runIf(engine === "postgres")(
    "D33 erased: a write that commits while its scope is erased",
    () => {
      /** What a keyed write of a conversation stores, all but its commit. */
      async function storeWithResponse(trx: AccountTrx, claim: IdempotencyClaim): Promise<void> {
        const { companyId } = claim;
        await writeMemories(trx, writeOf({ created: [newMemory(companyId)] }));
        await completeIdempotencyKey(trx, { claim, response: RESPONSE, textOf: TEXT });
      }

      const untilOneWaits = () => expect.poll(() => countLockWaits(contract.db)).toBe(1);

      /** Its memories and its response are both there or both gone, and its key is not free. */
      async function expectWhole(claim: IdempotencyClaim): Promise<void> {
        const outcome = await claimIdempotencyKey(contract.db.of(claim.companyId), {
          ...claim,
          attemptId: randomUUID(),
        });
        const left = await erase(claim.companyId);
        expect([left, outcome.kind]).toEqual(
          outcome.kind === "completed" ? [1, "completed"] : [0, "erased"],
        );
      }

      test("after the last memory was found, and before the responses are", async () => {
        const claim = claimOf(newCompanyId());
        await claimIdempotencyKey(contract.db.of(claim.companyId), claim);
        let erasure: Promise<number> | undefined;
        await transaction(contract.db.of(claim.companyId), async (trx) => {
          await sql`lock table idempotency_keys in exclusive mode`.execute(trx);
          await storeWithResponse(trx, claim);
          erasure = erase(claim.companyId);
          await untilOneWaits();
        });
        await erasure;
        await expectWhole(claim);
      });

      test("after the responses were found", async () => {
        const claim = claimOf(newCompanyId());
        const older = claimOf(claim.companyId);
        for (const each of [older, claim])
          await claimIdempotencyKey(contract.db.of(claim.companyId), each);
        await transaction(contract.db.of(claim.companyId), (trx) =>
          completeIdempotencyKey(trx, { claim: older, response: RESPONSE, textOf: TEXT }),
        );
        let erasure: Promise<number> | undefined;
        await transaction(contract.db, async (trx) => {
          await trx
            .selectFrom("idempotency_keys")
            .select("key")
            .where("company_id", "=", older.companyId)
            .where("key", "=", older.key)
            .forUpdate()
            .execute();
          erasure = erase(claim.companyId);
          await untilOneWaits();
          await transaction(contract.db.of(claim.companyId), (other) =>
            storeWithResponse(other, claim),
          );
        });
        await erasure;
        await expectWhole(claim);
      });
    },
  );
});
